"""Answers that come with a proof: CP-SAT, SAT and our own exact search."""
