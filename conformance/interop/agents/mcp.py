"""The stdio MCP servers of a session: started when it comes into memory, ended when it leaves."""

import json
import os
import subprocess
import threading

GRACE = 1.0  # seconds that a server has to end when its stdin has


def start(entries, cwd):
    """Starts the servers that speak over stdio. One that does not start is left out."""
    servers = []
    for entry in entries:
        if not isinstance(entry, dict) or entry.get("type", "stdio") != "stdio":
            continue
        env = {**os.environ, **{pair["name"]: pair["value"] for pair in entry.get("env", [])}}
        try:
            server = subprocess.Popen(
                [entry["command"], *entry.get("args", [])], cwd=cwd, env=env,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        except (OSError, KeyError):
            continue
        threading.Thread(target=_talk, args=(server,), daemon=True).start()
        servers.append(server)
    return servers


def stop(servers):
    for server in servers:
        try:
            server.stdin.close()
        except OSError:
            pass
    for server in servers:
        try:
            server.wait(GRACE)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _talk(server):
    """Says hello, asks for the tools, and reads whatever comes."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "interop-python", "version": "1.0.0"}}
    try:
        _send(server, {"id": 1, "method": "initialize", "params": hello})
        server.stdout.readline()
        _send(server, {"method": "notifications/initialized"})
        _send(server, {"id": 2, "method": "tools/list"})
        for _ in server.stdout:
            pass
    except (OSError, ValueError):
        pass  # the server has gone


def _send(server, message):
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    server.stdin.flush()
