"""The kernels of chess as text; constants and tables go in front of it (``source.py``)."""
