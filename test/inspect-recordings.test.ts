/** The inspector's views on recorded conversations: what they say adds up, and what is done by them can be taken back. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { memoryArchive } from "../src/archive/memory.ts";
import { TargetUnreachableError } from "../src/errors/target-unreachable-error.ts";
import { importSession, type SessionToImport } from "../src/inspect/import-session.ts";
import { createInspector, type Inspector } from "../src/inspect/inspector.ts";
import type { CompactionView } from "../src/inspect/views.ts";
import { MESSAGE_TOKENS } from "../src/tokens/token-counter.ts";
import { readTranscript } from "../src/transcripts/read-transcript.ts";
import { hasAllRecordings, recordings, recordingsFolder, sayThatDataIsAbsent } from "./recordings.ts";

if (!hasAllRecordings) sayThatDataIsAbsent("the inspector's views on the files of ten programs");

type Session = Omit<SessionToImport, "at">;

/** The first of every source that are long enough to be cut; with PITH_FULL all of them. */
async function wireSessions(): Promise<readonly Session[]> {
  const sessions: Session[] = [];
  const taken = new Map<string, number>();
  for await (const { id, source, format, messages } of recordings()) {
    const count = taken.get(source) ?? 0;
    if (messages.length < 20 || (count >= 2 && !process.env.PITH_FULL)) continue;
    taken.set(source, count + 1);
    sessions.push({ conversation: id, body: messages, format, pins: [], problems: [] });
  }
  return sessions;
}

function nativeSessions(): readonly Session[] {
  const folder = join(recordingsFolder, "native");
  if (!existsSync(folder)) return [];
  const programs = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return programs.flatMap(({ name }) => {
    const files = readdirSync(join(folder, name), { recursive: true, withFileTypes: true });
    const file = files
      .filter((entry) => entry.isFile())
      .sort((one, other) => one.name.localeCompare(other.name))[0];
    if (!file) return [];
    const bytes = readFileSync(join(file.parentPath, file.name));
    const text = (file.name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
    const { body, pins, problems, usage } = readTranscript(text);
    return [{ conversation: name, body, format: "anthropic-messages", pins, problems, usage }];
  });
}

async function opened(session: Session): Promise<Inspector> {
  let now = 1_000;
  const archive = memoryArchive();
  const given = await importSession(archive, { ...session, at: now });
  return createInspector({ archive, title: "", version: "", readOnly: false, given, clock: () => ++now });
}

/** Undefined where there is nothing to cut. */
async function applied(inspector: Inspector, conversation: string): Promise<CompactionView | undefined> {
  for (const target of ["40%", "70%"]) {
    try {
      const { compaction } = await inspector.apply({ conversation, target });
      return await inspector.compaction(compaction);
    } catch (error) {
      if (!(error instanceof TargetUnreachableError)) throw error;
    }
  }
  return undefined;
}

test("every view of a recording adds up, and undo brings back what was there", async () => {
  const [lines, sourced] = [[] as string[], [] as string[]];
  let compacted = 0;
  for (const session of [...(await wireSessions()), ...nativeSessions()]) {
    const name = session.conversation;
    const inspector = await opened(session);
    const before = await inspector.conversation(name);
    const messages = await inspector.messages(name, { from: 0, count: 500 });
    const lists = Object.values(before.kinds).filter((list) => list.length > 0);
    expect(lists.every((list) => list.length === before.messages)).toBe(true);
    for (const { position, tokens } of messages)
      expect(
        lists.reduce((sum, list) => sum + list[position]!, 0),
        `${name} ${position}`,
      ).toBe(tokens);

    const view = await applied(inspector, name);
    if (!view) continue;
    compacted++;
    expect(view.rows.flatMap((row) => (row.before ? [row.before.position] : []))).toEqual(
      Array.from({ length: before.messages }, (_, at) => at),
    );
    for (const row of view.rows) {
      if (row.change === "kept") continue;
      expect(row.stage && row.reason, `${name}: a cut without a reason`).toBeTruthy();
      if (row.change === "added") continue;
      // One that says nothing has no lines, but what it was is there.
      const raw = row.before!.tokens <= MESSAGE_TOKENS;
      const { total } = await inspector.item(row.originalId!, { from: 0, count: 1, raw });
      expect(total, `${name} ${row.before!.position}`).toBeGreaterThan(0);
    }
    for (const { section, heading, text, sources } of view.handOff?.lines ?? []) {
      if (!section || heading || isOwn(text) || section === "Archive" || section === "State: doubts")
        continue;
      lines.push(text);
      if (sources.length > 0) sourced.push(text);
      for (const row of sources) expect(view.rows[row]?.before, `${name}: ${text}`).toBeDefined();
    }
    const after = await inspector.conversation(name);
    expect(after.tokens).toBeLessThan(before.tokens);
    const undone = await inspector.undo(view.id!);
    expect([undone.tokens, undone.messages]).toEqual([before.tokens, before.messages]);
  }
  expect(compacted).toBeGreaterThan(hasAllRecordings ? 15 : 5);
  expect(sourced.length / lines.length).toBeGreaterThan(0.98);
}, 300_000);

/** What the hand-off says by itself: how a turn stands, what was left out, and its end. */
function isOwn(line: string): boolean {
  return (
    line.trim() === "" || /^(?:\([^()]*\)| …|\[End of hand-off\])$/.test(line) || /^\s*\[… .* …\]$/.test(line)
  );
}
