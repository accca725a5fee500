"""`python -m specharness` is the command."""

from specharness.cli.main import main

main()
