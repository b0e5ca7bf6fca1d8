"""JSON-RPC over stdin and stdout, one message a line."""

import json
import sys
import threading

_writing = threading.Lock()


class Error(Exception):
    def __init__(self, code, message, data=None):
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


def unknown(session_id):
    return Error(-32002, "Resource not found", {"sessionId": session_id})


def need(params, name, kind):
    """A member of the params that must be there and of that type."""
    value = params.get(name)
    if not isinstance(value, kind) or kind is int and isinstance(value, bool):
        raise Error(-32602, f"{name} is missing or not of its type")
    return value


def block(value):
    """The text of a content block of a prompt; this agent takes text and links."""
    if isinstance(value, dict) and value.get("type") == "text":
        return need(value, "text", str)
    if isinstance(value, dict) and value.get("type") == "resource_link":
        need(value, "name", str)
        return need(value, "uri", str)
    raise Error(-32602, "This content is not supported")


def serve(request, notification):
    """Reads until stdin ends. Each message is handled before the next one is read."""
    for line in sys.stdin.buffer:
        if line.strip():
            _one(line, request, notification)


def _one(line, request, notification):
    try:
        message = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        _fail(None, Error(-32700, "Parse error"))
        return
    fault = _fault(message)
    if fault:
        _fail(fault[0], Error(-32600, "Invalid request"))
        return
    if "method" not in message:
        return  # this agent asks nothing, so nothing is an answer
    params = message.get("params") or {}
    if "id" not in message:
        if isinstance(params, dict):
            notification(message["method"], params)
        return
    try:
        if not isinstance(params, dict):
            raise Error(-32602, "params must be an object")
        request(message["id"], message["method"], params)
    except Error as error:
        _fail(message["id"], error)


def _fault(message):
    """None for a message, or the id to refuse it under."""
    if not isinstance(message, dict):
        return (None,)
    known = message.get("id") if _is_id(message.get("id")) else None
    if message.get("jsonrpc") != "2.0" or "id" in message and "method" in message and known is None:
        return (known,)
    if "method" in message:
        return None if isinstance(message["method"], str) else (known,)
    return None if "result" in message or "error" in message else (known,)


def _is_id(value):
    return isinstance(value, (int, str)) and not isinstance(value, bool)


def answer(request, result):
    _write({"jsonrpc": "2.0", "id": request, "result": result})


def notify(method, params):
    _write({"jsonrpc": "2.0", "method": method, "params": params})


def _fail(request, error):
    fault = {"code": error.code, "message": error.message}
    if error.data is not None:
        fault["data"] = error.data
    _write({"jsonrpc": "2.0", "id": request, "error": fault})


def _write(message):
    line = json.dumps(message).encode("ascii") + b"\n"
    with _writing:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
