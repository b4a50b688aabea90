"""The referee: verdicts, studies, statistics, reports and the command line."""
