"""An agent of versions 1 and 2 with sessions that outlive it, in plain Python.

It has no model: a prompt is echoed in a few chunks, and one that says /wait holds its turn until it is cancelled. Its
sessions are files below the HOME. What is in memory is a Session; what is known only from its file is not.
"""

import os
import sys
import threading

import dialect
import mcp
import rpc
import store


class Session:
    """A session in memory: what the store keeps of it, its servers, and the turn that runs in it."""

    def __init__(self, kept):
        self.kept = kept
        self.id = kept["sessionId"]
        self.servers = mcp.start(kept["mcpServers"], kept["cwd"])
        self.turn = None
        self.state = {"state": "idle"}

    def end(self):
        turn = self.turn
        if turn:
            turn.cancel()
            turn.join()
        mcp.stop(self.servers)


class Turn(threading.Thread):
    """One prompt turn."""

    def __init__(self, agent, session, request, prompt):
        super().__init__(daemon=True)
        self.agent, self.session, self.request, self.prompt = agent, session, request, prompt
        self.cancelled = threading.Event()

    def cancel(self):
        self.cancelled.set()

    def run(self):
        said = dialect.entry("agent_message_chunk", "")
        for chunk in self.chunks(self.prompt["text"]):
            if self.cancelled.is_set():
                break
            said["text"] += chunk
            self.agent.update(self.session, self.agent.dialect.message({**said, "text": chunk}))
        self.agent.remember(self.session, said)
        self.session.turn = None
        self.agent.dialect.end(self.agent, self, "cancelled" if self.cancelled.is_set() else "end_turn")

    def chunks(self, text):
        if "/wait" in text:
            yield "I am waiting. "
            self.cancelled.wait()
        yield "You said: "
        yield text[:200]
        yield " That is all."


class Agent:
    """The methods of the protocol. They run one after the other; only turns run beside them."""

    def __init__(self):
        self.store = store.Store(os.path.join(os.path.expanduser("~"), ".interop-agent"))
        self.memory = {}
        self.dialect = None
        self.methods = {
            "session/new": "new",
            "session/resume": "resume",
            "session/list": "list",
            "session/close": "close",
            "session/delete": "delete",
            "session/status": "status",
            "session/set_config_option": "set_config_option",
        }

    def serve(self):
        """Serves until the client has gone. Nobody waits for the turns that still run then."""
        rpc.serve(self.request, self.notification)
        for session in self.memory.values():
            mcp.stop(session.servers)

    def request(self, request, method, params):
        if method == "initialize":
            rpc.answer(request, self.initialize(params))
        elif not self.dialect:
            raise rpc.Error(-32600, "Not initialized")
        elif method == "session/prompt":
            self.prompt(request, params)
        else:
            name = self.methods.get(method) or self.dialect.methods.get(method)
            if not name:
                raise rpc.Error(-32601, "Method not found")
            rpc.answer(request, getattr(self, name)(params))

    def notification(self, method, params):
        session = self.memory.get(params.get("sessionId")) if method == "session/cancel" else None
        if session and session.turn:
            session.turn.cancel()

    def initialize(self, params):
        version = rpc.need(params, "protocolVersion", int)
        self.dialect = dialect.V2() if version >= 2 else dialect.V1()
        return self.dialect.hello()

    def new(self, params):
        kept = store.fresh(self.directory(params), self.dialect.new_servers(params))
        self.store.save(kept)
        self.open(kept)
        return {"sessionId": kept["sessionId"], **self.dialect.settings(kept)}

    def load(self, params):
        rpc.need(params, "mcpServers", list)
        return self.attach(params, replay=True)

    def resume(self, params):
        replay = params.get("replayFrom") if isinstance(self.dialect, dialect.V2) else None
        if replay is not None and (not isinstance(replay, dict) or replay.get("type") != "start"):
            raise rpc.Error(-32602, "There is no such cursor")
        return self.attach(params, replay is not None)

    def attach(self, params, replay):
        """Brings a session into memory, anew if it is there."""
        cwd = self.directory(params)
        kept = self.known(params)
        servers = self.dialect.servers(params, kept)
        self.leave(kept["sessionId"])
        kept = self.known(params)  # a turn that was ended here has been written down
        kept["mcpServers"], kept["cwd"] = servers, cwd
        self.store.save(kept)
        session = self.open(kept)
        if replay:
            for entry in kept["history"]:
                self.update(session, self.dialect.message(entry))
        self.dialect.attached(self, session)
        return self.dialect.settings(kept)

    def list(self, params):
        if params.get("cursor") is not None:
            raise rpc.Error(-32602, "There is only one page")
        cwd = self.directory(params) if params.get("cwd") is not None else None
        rows = [kept for kept in self.store.all() if cwd is None or kept["cwd"] == cwd]
        return {"sessions": [{k: kept[k] for k in ("sessionId", "cwd", "title", "updatedAt")} for kept in rows]}

    def close(self, params):
        self.leave(self.known(params)["sessionId"])
        return {}

    def delete(self, params):
        session_id = rpc.need(params, "sessionId", str)
        self.leave(session_id)
        self.store.delete(session_id)
        return {}

    def status(self, params):
        session = self.memory.get(rpc.need(params, "sessionId", str))
        if not session:
            self.known(params)
        return self.dialect.status("active" if session else "inactive", session)

    def prompt(self, request, params):
        session = self.active(params)
        text = "\n".join(rpc.block(block) for block in rpc.need(params, "prompt", list))
        if session.turn:
            raise rpc.Error(-32600, "A turn is running")
        entry = dialect.entry("user_message_chunk", text)
        session.kept["title"] = session.kept["title"] or text[:60]
        session.kept["updatedAt"] = store.now()
        self.remember(session, entry)
        session.turn = Turn(self, session, request, entry)
        self.dialect.begin(self, session.turn, entry)
        session.turn.start()

    def set_mode(self, params):
        session = self.active(params)
        mode = rpc.need(params, "modeId", str)
        if mode not in [m["id"] for m in dialect.MODES]:
            raise rpc.Error(-32602, "There is no such mode")
        session.kept["mode"] = mode
        self.store.save(session.kept)
        return {}

    def set_config_option(self, params):
        session = self.active(params)
        option, value = rpc.need(params, "configId", str), rpc.need(params, "value", str)
        if option != "model" or value not in [m["value"] for m in dialect.MODELS]:
            raise rpc.Error(-32602, "There is no such option or value")
        session.kept["model"] = value
        self.store.save(session.kept)
        return {"configOptions": self.dialect.settings(session.kept)["configOptions"]}

    # What the methods are made of.

    def open(self, kept):
        session = self.memory[kept["sessionId"]] = Session(kept)
        return session

    def leave(self, session_id):
        session = self.memory.pop(session_id, None)
        if session:
            session.end()

    def known(self, params):
        """What the store keeps of the session of a request, whether it is in memory or not."""
        session_id = rpc.need(params, "sessionId", str)
        kept = self.store.read(session_id)
        if kept is None:
            raise rpc.unknown(session_id)
        return kept

    def active(self, params):
        session_id = rpc.need(params, "sessionId", str)
        if session_id not in self.memory:
            raise rpc.unknown(session_id)
        return self.memory[session_id]

    def remember(self, session, entry):
        session.kept["history"].append(entry)
        self.store.save(session.kept)

    def directory(self, params):
        cwd = rpc.need(params, "cwd", str)
        if not os.path.isabs(cwd):
            raise rpc.Error(-32602, "cwd must be an absolute path")
        return cwd

    def update(self, session, update):
        rpc.notify("session/update", {"sessionId": session.id, "update": update})


def main(agent):
    try:
        agent().serve()
    except BrokenPipeError:
        sys.exit(0)
