// The sessions of agent-unstable.mjs: those in memory, and those that are kept in files below the HOME.

import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** The sessions in memory. */
export const open = new Map();

const folder = path.join(os.homedir(), ".acp-conform-interop-unstable");
mkdirSync(folder, { recursive: true });

/** A file for each session; its name says the id in letters that every file system takes. */
const file = (id) => path.join(folder, `${Buffer.from(id).toString("hex").slice(0, 200)}.json`);

/** What is kept of a session that need not be in memory, or undefined. */
export function saved(id) {
  let text;
  try {
    text = readFileSync(file(id), "utf8");
  } catch {
    return undefined;
  }
  const kept = JSON.parse(text);
  return kept.id === id ? kept : undefined;
}

export function everySaved() {
  const names = readdirSync(folder).filter((entry) => entry.endsWith(".json"));
  const kept = names.map((entry) => JSON.parse(readFileSync(path.join(folder, entry), "utf8")));
  return kept.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
}

/** A session in memory. */
export class Session {
  turn = undefined;
  state = { state: "idle" };

  constructor(kept) {
    this.kept = kept;
    open.set(kept.id, this);
  }

  /** Replaces the file in one step, because another instance may be reading it. */
  save() {
    const draft = path.join(folder, randomUUID());
    writeFileSync(draft, JSON.stringify(this.kept));
    renameSync(draft, file(this.kept.id));
  }

  async close() {
    this.turn?.cancel();
    await Promise.allSettled([this.turn?.done]);
    open.delete(this.kept.id);
  }
}
