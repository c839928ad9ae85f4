"""Fine-tunes a flock: recipe -> encoded pairs -> batches -> loop -> results in a store, launched for many seeds.

recipe.py       a TOML file as a frozen dataclass; every key and its meaning
seeds.py        the seeds of a run, and its name
encoding.py     pairs of sentences as flat arrays of token ids, cached on disk
batches.py      which pairs form a batch, in which order; how a batch is computed without padding
models.py       the model and tokenizer of a recipe
optimisation.py optimiser and schedule
loop.py         one run: trains, evaluates, saves, resumes
folder.py       what a run keeps on disk until it is complete
results.py      a finished run as the tables of a store, its weights beside them
launch.py       many runs at once on this machine
ray_launcher.py many runs on many machines
progress.py     bars, and the table of `status`
"""
