"""The command line: options, sub-commands, and where text goes."""
