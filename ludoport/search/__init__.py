"""Search in games, as kernels over the contract that every game fulfils."""
