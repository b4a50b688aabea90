"""Answers without a proof: the documents' programs, faithfully ported, and worthy rivals."""
