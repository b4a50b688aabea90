"""`python -m compare.cli`: the command without its installed script."""

from compare.cli import main

if __name__ == "__main__":
    main()
