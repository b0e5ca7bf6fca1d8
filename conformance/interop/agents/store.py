"""The sessions that outlive the agent: one JSON file each, in a directory that several agents may use at a time."""

import datetime
import json
import os
import re
import tempfile
import uuid

_ID = re.compile(r"[0-9a-f]{32}")  # no other id can be the name of a file of ours


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def fresh(cwd, servers):
    return {
        "sessionId": uuid.uuid4().hex, "cwd": cwd, "mcpServers": servers, "title": None, "updatedAt": now(),
        "mode": "ask", "model": "small", "history": [],
    }


class Store:
    def __init__(self, directory):
        self.directory = directory
        os.makedirs(directory, exist_ok=True)

    def file(self, session_id):
        return os.path.join(self.directory, session_id + ".json")

    def save(self, kept):
        """Replaces the file in one step: another agent reads the old one or the new one."""
        handle, draft = tempfile.mkstemp(dir=self.directory)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(kept, file)
        os.replace(draft, self.file(kept["sessionId"]))

    def read(self, session_id):
        if not _ID.fullmatch(session_id):
            return None
        try:
            with open(self.file(session_id), encoding="utf-8") as file:
                return json.load(file)
        except FileNotFoundError:
            return None

    def all(self):
        """The latest first."""
        names = [name[:-5] for name in os.listdir(self.directory) if name.endswith(".json")]
        kept = [k for k in map(self.read, names) if k is not None]
        return sorted(kept, key=lambda k: (k["updatedAt"], k["sessionId"]), reverse=True)

    def delete(self, session_id):
        if _ID.fullmatch(session_id):
            try:
                os.remove(self.file(session_id))
            except FileNotFoundError:
                pass
