"""What differs between the versions of the protocol: where things are called and when a prompt is answered."""

import uuid

import rpc

INFO = {"name": "interop-python", "title": "Interop agent in Python", "version": "1.0.0"}
MODES = [{"id": "ask", "name": "Ask"}, {"id": "code", "name": "Code"}]
MODELS = [{"value": "small", "name": "Small"}, {"value": "large", "name": "Large"}]


def option(key, kept):
    return {
        key: "model", "name": "Model", "category": "model",
        "type": "select", "currentValue": kept["model"], "options": MODELS,
    }


class V1:
    """Version 1: the response to a prompt ends its turn."""

    methods = {"session/load": "load", "session/set_mode": "set_mode"}

    def hello(self):
        return {
            "protocolVersion": 1,
            "agentInfo": INFO,
            "agentCapabilities": {
                "loadSession": True,
                "sessionCapabilities": {"list": {}, "resume": {}, "close": {}, "delete": {}, "status": {}},
            },
            "authMethods": [],
        }

    def settings(self, kept):
        return {"modes": {"currentModeId": kept["mode"], "availableModes": MODES}, "configOptions": [option("id", kept)]}

    def new_servers(self, params):
        return rpc.need(params, "mcpServers", list)

    def servers(self, params, kept):
        """A resume that names no servers means those that the session had."""
        return kept["mcpServers"] if params.get("mcpServers") is None else rpc.need(params, "mcpServers", list)

    def message(self, entry):
        return {"sessionUpdate": entry["kind"], "content": {"type": "text", "text": entry["text"]}}

    def status(self, word, session):
        return {"status": word}

    def begin(self, agent, turn, entry):
        pass

    def end(self, agent, turn, reason):
        rpc.answer(turn.request, {"stopReason": reason})

    def attached(self, agent, session):
        pass


class V2(V1):
    """Version 2: a prompt is answered when it is part of the conversation; states tell of the turn."""

    methods = {}

    def hello(self):
        session = {"prompt": {}, "delete": {}, "status": {}, "mcp": {"stdio": {}}}
        return {"protocolVersion": 2, "info": INFO, "capabilities": {"session": session}, "authMethods": []}

    def settings(self, kept):
        return {"configOptions": [option("configId", kept)]}

    def new_servers(self, params):
        return self.servers(params, None)

    def servers(self, params, kept):
        """Servers that are not named are not meant."""
        return [] if params.get("mcpServers") is None else rpc.need(params, "mcpServers", list)

    def message(self, entry):
        return {**super().message(entry), "messageId": entry["id"]}

    def status(self, word, session):
        return {"status": word, "state": session.state} if session else {"status": word}

    def begin(self, agent, turn, entry):
        agent.update(turn.session, self.message(entry))
        rpc.answer(turn.request, {"messageId": entry["id"]})
        self.enter(agent, turn.session, {"state": "running"})

    def end(self, agent, turn, reason):
        self.enter(agent, turn.session, {"state": "idle", "stopReason": reason})

    def attached(self, agent, session):
        self.enter(agent, session, session.state)

    def enter(self, agent, session, state):
        session.state = state
        agent.update(session, {"sessionUpdate": "state_update", **state})


def entry(kind, text):
    """A message as the history has it."""
    return {"kind": kind, "id": uuid.uuid4().hex, "text": text}
