"""Published results and data sets: find or fetch the files, verify them, parse them into the tables of a store."""
