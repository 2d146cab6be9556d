"""Transfer of policy-value networks (Soemers et al., 2023), and your own studies of the same kind."""
