// An agent on the stable v1 entry of the TypeScript SDK: what a conforming agent on a current SDK looks like on the wire.
//
// It has no model. Lines of a prompt that begin with a slash say what the turn does (see `directives`), and it announces them,
// so that whole turns are the same every time. Its sessions live in memory, so it does not claim to load or resume them.

import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";

const { RequestError, methods } = acp;

/** What a line of a prompt can ask for: each function does it in a turn, with the rest of the line as its argument. */
const directives = {
  say: (turn, text) => turn.say(text),
  wait,
  stream,
  tool,
  permission,
  "wait-tool": waitTool,
  read,
};

const sessions = new Map();
let clientCapabilities = {};

/** A turn that has been cancelled stops wherever it is by throwing this. */
class Cancelled extends Error {}

/** One prompt turn: what it may say, and when it has to stop. */
class Turn {
  #stop = new AbortController();
  #open = new Set(); // the tool calls that have not come to an end

  constructor(session, client, requestSignal) {
    this.session = session;
    this.client = client;
    this.signal = AbortSignal.any([this.#stop.signal, requestSignal]);
    this.cancelled = new Promise((_, reject) => {
      this.signal.addEventListener("abort", () => reject(new Cancelled()));
    });
    this.cancelled.catch(() => {}); // a turn that nobody waits in is cancelled at its next update
  }

  cancel() {
    this.#stop.abort();
  }

  send(update) {
    if (this.signal.aborted) throw new Cancelled();
    return this.#write(update);
  }

  say(text) {
    return this.send({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  }

  /** Waits for a promise, but not longer than for a cancel. */
  until(promise) {
    return Promise.race([promise, this.cancelled]);
  }

  async begin(kind, title, file) {
    const toolCallId = `call_${++this.session.tools}`;
    const locations = file ? [{ path: file }] : [];
    await this.send({ sessionUpdate: "tool_call", toolCallId, title, kind, status: "pending", locations });
    this.#open.add(toolCallId);
    return toolCallId;
  }

  progress(toolCallId, status, text) {
    const content = text === undefined ? undefined : [{ type: "content", content: { type: "text", text } }];
    if (status !== "in_progress") this.#open.delete(toolCallId);
    return this.send({ sessionUpdate: "tool_call_update", toolCallId, status, content });
  }

  /** Ends the tool calls that a cancel left open; the answer to the prompt comes after that. */
  async abandon() {
    for (const toolCallId of this.#open) {
      await this.#write({ sessionUpdate: "tool_call_update", toolCallId, status: "failed" });
    }
    this.#open.clear();
  }

  #write(update) {
    return this.client.notify(methods.client.session.update, { sessionId: this.session.id, update });
  }
}

async function wait(turn) {
  await turn.say("waiting for a cancel");
  await turn.cancelled;
}

async function stream(turn, args) {
  const [count, ...words] = args.split(" ");
  const n = Math.min(Number.parseInt(count, 10) || 3, 100_000);
  for (let i = 1; i <= n; i++) await turn.say(`${[i, ...words].join(" ").trim()}\n`);
}

async function tool(turn, kind) {
  const known = ["read", "edit", "execute"].includes(kind) ? kind : "read";
  const id = await turn.begin(known, `A tool of kind ${known}`, path.join(turn.session.cwd, "notes.txt"));
  await turn.progress(id, "in_progress");
  await turn.progress(id, "completed", "done");
}

async function waitTool(turn) {
  const id = await turn.begin("execute", "A tool that does not return");
  await turn.progress(id, "in_progress");
  await turn.cancelled;
}

/** Asks for permission. If it is given and the line names a file, the tool creates that file. */
async function permission(turn, name) {
  const file = name && path.resolve(turn.session.cwd, name);
  const title = "A tool that needs permission";
  const toolCallId = await turn.begin(file ? "edit" : "execute", title, file);
  const question = {
    sessionId: turn.session.id,
    toolCall: { toolCallId, title },
    options: [
      { optionId: "allow", name: "Allow once", kind: "allow_once" },
      { optionId: "reject", name: "Reject", kind: "reject_once" },
    ],
  };
  const asked = turn.client.request(methods.client.session.requestPermission, question);
  // A client that answers with an error has not given permission.
  const { outcome } = await turn.until(asked.catch(() => ({ outcome: { outcome: "selected", optionId: "reject" } })));
  if (outcome.outcome === "cancelled") throw new Cancelled();
  if (outcome.optionId !== "allow") {
    await turn.progress(toolCallId, "failed", "not permitted");
    return;
  }
  await turn.progress(toolCallId, "in_progress");
  if (file) await writeFile(file, "permitted\n");
  await turn.progress(toolCallId, "completed", "done");
}

/** Reads a file through the client where it can, because the editor may hold text that is not saved yet. */
async function read(turn, name) {
  const file = path.resolve(turn.session.cwd, name);
  const id = await turn.begin("read", `Read ${path.basename(file)}`, file);
  await turn.progress(id, "in_progress");
  const question = { sessionId: turn.session.id, path: file };
  const reading = clientCapabilities.fs?.readTextFile
    ? turn.client.request(methods.client.fs.readTextFile, question)
    : readFile(file, "utf8").then((content) => ({ content }));
  const found = await turn.until(reading.catch((error) => ({ error })));
  if (found.error) {
    await turn.progress(id, "failed", `The file cannot be read: ${found.error.message}`);
    return;
  }
  await turn.progress(id, "completed", found.content);
  await turn.say(found.content);
}

/** The directives of a prompt, in order; its other lines do not count if there is one. */
function steps(text) {
  const found = [];
  for (const line of text.split("\n")) {
    const [, name, args = ""] = /^\/(\S+)\s*(.*)$/.exec(line.trim()) ?? [];
    if (name && Object.hasOwn(directives, name)) found.push([directives[name], args.trim()]);
  }
  return found;
}

async function run(turn, text) {
  try {
    const todo = steps(text);
    for (const [step, args] of todo) await step(turn, args);
    if (todo.length === 0) await turn.say(`You said: ${text.slice(0, 200)}`);
    return { stopReason: "end_turn" };
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    await turn.abandon();
    return { stopReason: "cancelled" };
  }
}

function known(sessionId) {
  const session = sessions.get(sessionId);
  if (!session) throw RequestError.sessionNotFound(sessionId);
  return session;
}

/** A session that is known but closed is as unknown to a prompt as one that never was. */
function active(sessionId) {
  const session = known(sessionId);
  if (session.closed) throw RequestError.sessionNotFound(sessionId);
  return session;
}

function absolute(cwd) {
  if (!path.isAbsolute(cwd)) throw RequestError.invalidParams({ cwd }, "cwd must be an absolute path");
}

async function stop(session) {
  session.turn?.cancel();
  await Promise.allSettled([session.done]);
}

function initialize({ params }) {
  clientCapabilities = params.clientCapabilities ?? {};
  return {
    protocolVersion: acp.PROTOCOL_VERSION,
    agentInfo: { name: "acp-conform-interop-ts", title: "Interop agent on the TypeScript SDK", version: "1.0.0" },
    agentCapabilities: {
      sessionCapabilities: { list: {}, close: {}, delete: {} },
      _meta: { "acp-conform/directives": Object.keys(directives) },
    },
    authMethods: [],
  };
}

function newSession({ params }) {
  absolute(params.cwd);
  const session = { id: randomUUID(), cwd: params.cwd, tools: 0, updatedAt: new Date().toISOString() };
  sessions.set(session.id, session);
  return { sessionId: session.id };
}

function prompt({ params, client, signal }) {
  const session = active(params.sessionId);
  if (session.turn) throw RequestError.invalidRequest(undefined, "a turn is running in this session");
  const other = params.prompt.find((block) => block.type !== "text" && block.type !== "resource_link");
  if (other) throw RequestError.invalidParams({ type: other.type }, "this kind of content is not supported");
  const text = params.prompt.map((block) => block.text ?? block.uri).join("\n");
  session.turn = new Turn(session, client, signal);
  session.title ??= text.split("\n", 1)[0].slice(0, 80);
  session.updatedAt = new Date().toISOString();
  session.done = run(session.turn, text).finally(() => {
    session.turn = undefined;
  });
  return session.done;
}

function list({ params }) {
  if (params.cwd != null) absolute(params.cwd);
  if (params.cursor != null) throw RequestError.invalidParams({ cursor: params.cursor }, "there is only one page");
  const found = [...sessions.values()].filter((session) => params.cwd == null || session.cwd === params.cwd);
  return { sessions: found.map(({ id, cwd, title, updatedAt }) => ({ sessionId: id, cwd, title, updatedAt })) };
}

async function close({ params }) {
  const session = active(params.sessionId);
  session.closed = true;
  await stop(session);
  return {};
}

async function remove({ params }) {
  const session = sessions.get(params.sessionId);
  sessions.delete(params.sessionId);
  if (session) await stop(session);
  return {};
}

// The SDK offers a message to one handler after the other in this order, and the next message does not wait for it. The
// handler of a cancel therefore stands last: it must not overtake the prompt that was sent before it.
acp
  .agent({ name: "acp-conform-interop-ts" })
  .onRequest(methods.agent.initialize, initialize)
  .onRequest(methods.agent.session.prompt, prompt)
  .onRequest(methods.agent.session.new, newSession)
  .onRequest(methods.agent.session.list, list)
  .onRequest(methods.agent.session.close, close)
  .onRequest(methods.agent.session.delete, remove)
  .onNotification(methods.agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.turn?.cancel())
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
