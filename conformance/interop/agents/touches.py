"""An agent in which to ask for the status of a session counts as using it: the time of its last use changes in the store."""

import base
import store


class Agent(base.Agent):
    def status(self, params):
        result = super().status(params)
        session = self.memory.get(params["sessionId"])
        kept = session.kept if session else self.known(params)
        kept["updatedAt"] = store.now()
        self.store.save(kept)
        return result


if __name__ == "__main__":
    base.main(Agent)
