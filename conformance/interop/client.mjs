// A client on the unstable entries of the TypeScript SDK, versions 1 and 2, behind the driver contract of conformance/judge: what
// it leaves to the SDK is judged with it. It speaks of sessions in the words of the published schema, open and saved.
//
// It keeps what a client has to keep (which sessions are open here, what the agent said of each, how many turns have ended), and
// leaves reading messages, matching answers and defaults to the SDK.

import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import * as v2 from "@agentclientprotocol/sdk/experimental/v2/unstable";
import * as v1 from "@agentclientprotocol/sdk/unstable";

const { ACP_CONFORM_AGENT, ACP_CONFORM_ACTIONS, ACP_CONFORM_PROTOCOL, ACP_CONFORM_SESSION } = process.env;
const wanted = ACP_CONFORM_SESSION;

/** What the user sees, a line of JSON for each step. */
function say(step) {
  process.stdout.write(`${JSON.stringify({ ...step, completions, usage: 0 })}\n`);
}

let completions = 0;
const opened = new Set(); // the sessions that this connection has resumed
const states = new Map(); // session → the state that its last update reported
const told = new Map(); // session → the last answer to session/status
let turned = () => {}; // called with the state of each state_update

/** What differs between the versions. */
const dialects = {
  1: {
    sdk: v1,
    hello: { protocolVersion: 1, clientCapabilities: {}, clientInfo: { name: "typescript-sdk", version: "2.4.0" } },
    sessions: (init) => init.agentCapabilities?.sessionCapabilities ?? {},
    lists: (sessions) => sessions.list,
    resume: (sessions, init) => {
      if (sessions.resume) return { method: v1.methods.agent.session.resume };
      return init.agentCapabilities?.loadSession ? { method: v1.methods.agent.session.load, mcpServers: [] } : undefined;
    },
    shown: () => "unknown",
    async prompt(agent, sessionId) {
      await agent.request(v1.methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text: "hello" }] });
    },
  },
  2: {
    sdk: v2,
    hello: { protocolVersion: 2, capabilities: {}, info: { name: "typescript-sdk", version: "2.4.0" } },
    sessions: (init) => init.capabilities?.session ?? {},
    lists: () => true,
    resume: () => ({ method: v2.methods.agent.session.resume }),
    shown: (sessionId) => known(opened.has(sessionId) ? states.get(sessionId) : told.get(sessionId)?.state?.state),
    async prompt(agent, sessionId) {
      let running = false; // an idle from before the prompt may be handled behind it
      const ended = new Promise((resolve) => {
        turned = (state) => (state === "idle" && running ? resolve() : (running ||= state === "running"));
      });
      await agent.request(v2.methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text: "hello" }] });
      await ended;
    },
  },
};

function known(state) {
  return ["idle", "running", "requires_action"].includes(state) ? state : "unknown";
}

const dialect = dialects[ACP_CONFORM_PROTOCOL];
const { methods } = dialect.sdk;
let agent, init, sessions;

function updated({ params }) {
  const { sessionId, update } = params;
  if (update.sessionUpdate !== "state_update") return;
  states.set(sessionId, update.state);
  turned(update.state);
}

async function list() {
  if (!dialect.lists(sessions)) return [];
  const rows = [];
  let cursor;
  do {
    const page = await agent.request(methods.agent.session.list, cursor ? { cursor } : {});
    rows.push(...page.sessions);
    cursor = page.nextCursor;
  } while (cursor);
  say({ step: "list", error: null });
  return rows;
}

async function look(sessionId) {
  if (!sessions.status) return;
  const step = { step: "status", sessionId, error: null };
  try {
    const answer = await agent.request(methods.agent.session.status, { sessionId });
    told.set(sessionId, answer);
    step.status = answer.status === "open" ? "active" : "inactive"; // whatever else it may be
  } catch (error) {
    told.set(sessionId, undefined);
    if (error.code === -32002) step.status = "unknown";
    else step.error = error.message;
  }
  say({ ...step, shown: dialect.shown(sessionId) });
}

/** Makes the session one of this connection; tells whether it is. */
async function open(sessionId) {
  if (opened.has(sessionId)) return true;
  const way = dialect.resume(sessions, init);
  if (!way) return false;
  const { method, ...more } = way;
  try {
    await agent.request(method, { sessionId, cwd: process.cwd(), ...more });
    opened.add(sessionId);
    return true;
  } catch (error) {
    say({ step: "open", sessionId, error: error.message });
    return false;
  }
}

async function prompt(sessionId, meanwhile = async () => {}) {
  if (!(await open(sessionId))) return;
  const step = { step: "prompt", sessionId, error: null };
  try {
    const turn = dialect.prompt(agent, sessionId);
    turn.catch(() => {}); // it is waited for below
    await meanwhile();
    await turn;
    completions++;
  } catch (error) {
    step.error = error.message;
  }
  say(step);
}

async function remove(sessionId) {
  if (!sessions.delete) return;
  const error = await agent.request(methods.agent.session.delete, { sessionId }).then(() => null, (e) => e.message);
  say({ step: "delete", sessionId, error });
}

const actions = {
  async visit() {
    for (let i = 0; i < 3; i++) await look(wanted);
    await prompt(wanted);
    await look(wanted);
    await remove(wanted);
  },
  look: () => look(wanted),
  async peek() {
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd: process.cwd(), mcpServers: [] });
    opened.add(sessionId);
    await prompt(sessionId, () => look(sessionId));
    await look(sessionId);
    await remove(sessionId);
  },
  many: (rows) => Promise.all(rows.map((row) => look(row.sessionId))),
};

const [command, ...args] = ACP_CONFORM_AGENT.split(" ");
const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const stream = dialect.sdk.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
const app = dialect.sdk.client({ name: "typescript-sdk" }).onNotification(methods.client.session.update, updated);

await app.connectWith(stream, async (context) => {
  agent = context;
  try {
    init = await agent.request(methods.agent.initialize, dialect.hello);
  } catch (error) {
    say({ step: "open", error: error.message });
    return;
  }
  if (init.protocolVersion !== dialect.hello.protocolVersion) return;
  sessions = dialect.sessions(init);
  await actions[ACP_CONFORM_ACTIONS](await list());
});
child.stdin.end();
