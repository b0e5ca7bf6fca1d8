// An agent on the unstable entries of the TypeScript SDK, for versions 1 and 2: it tells the status of a session, in the words
// of the published schema, open and saved.
//
// Its sessions are files below the HOME, so that they outlive it. It has no model and connects to no MCP servers. Lines of a
// prompt that begin with a slash say what the turn does (see `directives`).

import { randomUUID } from "node:crypto";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import * as v2 from "@agentclientprotocol/sdk/experimental/v2/unstable";
import * as v1 from "@agentclientprotocol/sdk/unstable";
import { everySaved, open, saved, Session } from "./sessions.mjs";

const { RequestError } = v1;
const name = "acp-conform-interop-unstable";

/** What a line of a prompt can ask for. */
const directives = {
  say: (turn, text) => turn.say(text),
  wait,
  stream,
  permission,
};

/** A turn that has been cancelled stops wherever it is by throwing this. */
class Cancelled extends Error {}

/** One prompt turn, in the dialect of its connection. */
class Turn {
  #stop = new AbortController();

  /** The signal is that of the request, where the request lasts as long as the turn. */
  constructor(session, dialect, client, signal) {
    this.session = session;
    this.dialect = dialect;
    this.client = client;
    this.signal = AbortSignal.any([this.#stop.signal, ...(signal ? [signal] : [])]);
    this.cancelled = new Promise((_, reject) => {
      this.signal.addEventListener("abort", () => reject(new Cancelled()));
    });
    this.cancelled.catch(() => {}); // a turn that nobody waits in is cancelled at its next update
    this.messageId = randomUUID();
  }

  cancel() {
    this.#stop.abort();
  }

  async say(text) {
    if (this.signal.aborted) throw new Cancelled();
    this.session.kept.history.push({ role: "agent", id: this.messageId, text });
    await this.dialect.update(this.client, this.session, this.dialect.chunk("agent", this.messageId, text));
  }

  async run(text) {
    let stopReason = "end_turn";
    try {
      const todo = steps(text);
      for (const [step, args] of todo) await step(this, args);
      if (todo.length === 0) await this.say(`You said: ${text.slice(0, 200)}`);
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
      stopReason = "cancelled";
    } finally {
      this.session.turn = undefined;
      this.session.save();
    }
    await this.dialect.enter(this.client, this.session, { state: "idle", stopReason });
    return { stopReason };
  }
}

function steps(text) {
  const found = [];
  for (const line of text.split("\n")) {
    const [, word, args = ""] = /^\/(\S+)\s*(.*)$/.exec(line.trim()) ?? [];
    if (word && Object.hasOwn(directives, word)) found.push([directives[word], args.trim()]);
  }
  return found;
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

/** Asks for permission, while nothing else goes on. A client that answers with an error has not given it. */
async function permission(turn) {
  const { dialect, client, session } = turn;
  const ask = { sessionId: session.kept.id, ...dialect.question(randomUUID(), "A tool that needs permission") };
  await dialect.enter(client, session, { state: "requires_action" });
  const asked = client.request("session/request_permission", ask, {
    cancellationSignal: turn.signal,
    stopWaitingOnCancel: true,
  });
  const { outcome } = await Promise.race([asked.catch(() => ({ outcome: {} })), turn.cancelled]);
  if (outcome.outcome === "cancelled") throw new Cancelled();
  await dialect.enter(client, session, { state: "running" });
  await turn.say(outcome.optionId === "allow" ? "permitted" : "not permitted");
}

const options = [
  { optionId: "allow", name: "Allow once", kind: "allow_once" },
  { optionId: "reject", name: "Reject", kind: "reject_once" },
];

const notify = (client, session, update) => client.notify("session/update", { sessionId: session.kept.id, update });

/** What differs between the versions. A state is kept in both, but only version 2 speaks of it. */
const dialects = {
  1: {
    update: notify,
    chunk: (role, _, text) => ({ sessionUpdate: `${role}_message_chunk`, content: { type: "text", text } }),
    question: (toolCallId, title) => ({ toolCall: { toolCallId, title }, options }),
    enter: async (_, session, state) => {
      session.state = state;
    },
    status: (session) => ({ status: session ? "open" : "saved" }),
  },
  2: {
    update: notify,
    chunk: (role, messageId, text) => ({
      sessionUpdate: `${role}_message_chunk`,
      messageId,
      content: { type: "text", text },
    }),
    question: (toolCallId, title) => ({ title, subject: { type: "tool_call", toolCall: { toolCallId, title } }, options }),
    enter: (client, session, state) => {
      session.state = state;
      return notify(client, session, { sessionUpdate: "state_update", ...state });
    },
    status: (session) => (session ? { status: "open", state: session.state } : { status: "saved" }),
  },
};

function absolute(cwd) {
  if (!path.isAbsolute(cwd)) throw RequestError.invalidParams({ cwd }, "cwd must be an absolute path");
}

function inMemory(id) {
  const session = open.get(id);
  if (!session) throw RequestError.sessionNotFound(id);
  return session;
}

function newSession({ params }) {
  absolute(params.cwd);
  const kept = { id: randomUUID(), cwd: params.cwd, updatedAt: new Date().toISOString(), history: [] };
  new Session(kept).save();
  return { sessionId: kept.id };
}

/** Brings a session into memory, unless it is there. */
function resume({ params }) {
  absolute(params.cwd);
  const kept = saved(params.sessionId);
  if (!kept) throw RequestError.sessionNotFound(params.sessionId);
  return open.get(kept.id) ?? new Session(kept);
}

async function replay(dialect, client, session) {
  for (const { role, id, text } of session.kept.history) await dialect.update(client, session, dialect.chunk(role, id, text));
}

function list({ params }) {
  if (params.cwd != null) absolute(params.cwd);
  if (params.cursor != null) throw RequestError.invalidParams({ cursor: params.cursor }, "there is only one page");
  const found = everySaved().filter((kept) => params.cwd == null || kept.cwd === params.cwd);
  return { sessions: found.map(({ id, cwd, title, updatedAt }) => ({ sessionId: id, cwd, title, updatedAt })) };
}

async function close({ params }) {
  const session = open.get(params.sessionId);
  if (session) await session.close();
  else if (!saved(params.sessionId)) throw RequestError.sessionNotFound(params.sessionId);
  return {};
}

/** Looks, and does nothing else. */
const status = (dialect) => ({ params }) => {
  const session = open.get(params.sessionId);
  if (!session && !saved(params.sessionId)) throw RequestError.sessionNotFound(params.sessionId);
  return dialect.status(session);
};

/** Puts a prompt into its session and makes the turn that will answer it. */
function insert(dialect, { params, client }, signal) {
  const session = inMemory(params.sessionId);
  if (session.turn) throw RequestError.invalidRequest(undefined, "a turn is running in this session");
  const other = params.prompt.find((block) => block.type !== "text" && block.type !== "resource_link");
  if (other) throw RequestError.invalidParams({ type: other.type }, "this kind of content is not supported");
  const text = params.prompt.map((block) => block.text ?? block.uri).join("\n");
  const message = { role: "user", id: randomUUID(), text };
  session.kept.title ??= text.split("\n", 1)[0].slice(0, 80);
  session.kept.updatedAt = new Date().toISOString();
  session.kept.history.push(message);
  session.save();
  session.turn = new Turn(session, dialect, client, signal);
  return { turn: session.turn, session, message };
}

function prompt1(request) {
  const { turn, message, session } = insert(dialects[1], request, request.signal);
  session.state = { state: "running" };
  turn.done = turn.run(message.text);
  return turn.done;
}

/** Answers as soon as the prompt is part of the conversation; the turn goes on from there. */
async function prompt2(request) {
  const { turn, session, message } = insert(dialects[2], request);
  const { client } = request;
  turn.done = (async () => {
    await notify(client, session, dialects[2].chunk("user", message.id, message.text));
    await dialects[2].enter(client, session, { state: "running" });
    await new Promise(setImmediate); // lets the response go first
    await turn.run(message.text);
  })();
  return { messageId: message.id };
}

/** Both versions in the order in which the SDK offers a message; a cancel stands last, behind the prompt that it is for. */
function app(version, { agent }, handlers) {
  const made = agent({ name });
  for (const [method, handler] of Object.entries(handlers)) made.onRequest(method, handler);
  made.onRequest("session/status", status(dialects[version]));
  made.onRequest("session/new", newSession).onRequest("session/list", list).onRequest("session/close", close);
  return made.onNotification("session/cancel", ({ params }) => open.get(params.sessionId)?.turn?.cancel());
}

const info = { name, title: "Interop agent on the unstable entries of the TypeScript SDK", version: "1.0.0" };
const _meta = { "acp-conform/directives": Object.keys(directives) };

const first = app(1, v1, {
  initialize: () => ({
    protocolVersion: v1.PROTOCOL_VERSION,
    agentInfo: info,
    agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, resume: {}, close: {}, status: {} }, _meta },
    authMethods: [],
  }),
  "session/prompt": prompt1,
  "session/resume": (request) => {
    resume(request);
    return {};
  },
  "session/load": async (request) => {
    await replay(dialects[1], request.client, resume(request));
    return {};
  },
});

const second = app(2, v2, {
  initialize: () => ({
    protocolVersion: v2.PROTOCOL_VERSION,
    info,
    capabilities: { session: { prompt: {}, status: {} }, _meta },
    authMethods: [],
  }),
  "session/prompt": prompt2,
  "session/resume": async (request) => {
    const { replayFrom } = request.params;
    if (replayFrom && replayFrom.type !== "start") throw RequestError.invalidParams({ replayFrom }, "unknown cursor");
    const session = resume(request);
    if (replayFrom) await replay(dialects[2], request.client, session);
    await notify(request.client, session, { sessionUpdate: "state_update", ...session.state });
    return {};
  },
});

v2.agentProtocolRouter()
  .withV1(first)
  .withV2(second)
  .connect(v2.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
