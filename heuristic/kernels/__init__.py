"""Compiled inner loops. Imported only when a method runs: numba is heavy."""
