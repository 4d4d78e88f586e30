"""What is compiled: observations, and many games a step further in one call."""
