"""Other tools' prediction files into the store's tables.

reading   a file            -> rows of cells, whatever its format
columns   rows              -> which column is what
matching  ids, text, order  -> positions in the test set
labels    words, integers, logits -> labels; and whether their order is plausible
importing the whole, all files checked before any is written
"""
