"""The report of studies of networks: the paper's tables and figures, with its numbers beside ours."""
