"""Measuring how fast the engine is, beside the figures of others."""
