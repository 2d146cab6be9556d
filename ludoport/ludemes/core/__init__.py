"""What every ludeme is written with: places, programs, the registry, regions, sinks and rules."""
