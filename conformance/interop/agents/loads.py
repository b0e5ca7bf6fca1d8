"""An agent that brings a session into memory to find out about it, and does not say so: the session can be prompted from
then on, its servers run, and its status stays inactive until somebody resumes it."""

import base


class Agent(base.Agent):
    def __init__(self):
        super().__init__()
        self.unasked = set()

    def status(self, params):
        kept = self.known(params)
        session_id = kept["sessionId"]
        if session_id not in self.memory:
            self.open(kept)
            self.unasked.add(session_id)
        if session_id in self.unasked:
            return self.dialect.status("inactive", None)
        return super().status(params)

    def leave(self, session_id):
        self.unasked.discard(session_id)
        super().leave(session_id)


if __name__ == "__main__":
    base.main(Agent)
