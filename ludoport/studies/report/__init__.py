"""The parts that all reports share: blocks, pages, figures, tests."""
