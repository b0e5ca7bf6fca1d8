"""The agent as it should be."""

import base

if __name__ == "__main__":
    base.main(base.Agent)
