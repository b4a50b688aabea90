"""Reports: a study's rows -> tables and plots -> one self-contained page, Markdown, or CSV."""
