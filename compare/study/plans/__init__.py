"""The plans that come with the project, and the outside program that one of them plays."""
