"""A Python source comes in; the datasets that its decorators make go out, without running it."""
