/** Every place where anything is written: each is known here, and takes only what was made ready to be written. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Archive } from "../src/archive/archive.ts";
import { importConversation } from "../src/archive/import-conversation.ts";
import { memoryArchive } from "../src/archive/memory.ts";
import { isReady } from "../src/archive/ready-write.ts";
import { keepWayBack } from "../src/cli/way-back.ts";
import { createRecipes } from "../src/gateway/recipes.ts";
import { summaryStore } from "../src/gateway/summaries/summary-store.ts";
import { waitingSnapshots } from "../src/gateway/summaries/waiting-snapshots.ts";
import { createCompactor } from "../src/index.ts";
import { importSession } from "../src/inspect/import-session.ts";
import { createInspector } from "../src/inspect/inspector.ts";
import { maskText } from "../src/redact/mask-json.ts";
import { initialState } from "../src/state/compaction-state.ts";
import { initialSummarizerState } from "../src/state/summarizer-state.ts";
import { assistant, call, rawConversation, result, user } from "../src/testing/builders.ts";
import { plantedSecrets } from "./planted-secrets.ts";
import { foundIn } from "./planted-secrets-places.ts";

const root = join(import.meta.dirname, "..");
const sources = globSync("src/**/*.ts", { cwd: root })
  .filter((file) => !file.endsWith(".test.ts") && !file.startsWith("src/testing/"))
  .map((file) => ({ file, code: withoutComments(readFileSync(join(root, file), "utf8")) }));

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

const filesWith = (pattern: RegExp): readonly string[] =>
  sources.filter(({ code }) => pattern.test(code)).map(({ file }) => file);

interface Sort {
  readonly written: string;
  readonly pattern: RegExp;
  /** Every file that writes so, and what sees to it that no secret is written. */
  readonly files: Readonly<Record<string, string>>;
}

/** A new place fails here until it is listed: take one of those that are, or say what masks it. */
const sorts: readonly Sort[] = [
  {
    written: "items to an archive",
    pattern: /\.put\(/,
    files: {
      "src/archive/ready-write.ts": "makes every write a ReadyWrite",
      "src/gateway/stopwatch.ts": "passes a ReadyWrite on",
    },
  },
  {
    written: "a ReadyWrite",
    pattern: /as ReadyWrite|as unknown as ReadyWrite/,
    files: { "src/archive/ready-write.ts": "masks" },
  },
  {
    written: "masked text",
    pattern: /as MaskedText|as unknown as MaskedText/,
    files: { "src/redact/found-secret.ts": "puts the masks in" },
  },
  {
    written: "items that are known to be masked",
    pattern: /\bknownMasked\(/,
    files: {
      "src/archive/item-id.ts": "masks the item that it makes",
      "src/archive/archived-messages.ts": "masks the message that it makes",
    },
  },
  {
    written: "rows of a database",
    pattern: /\bINSERT INTO|\bUPDATE (?:\$\{|[a-z]+ SET)/,
    files: {
      "src/archive/sqlite/put-write.ts": "a ReadyWrite",
      "src/archive/sqlite/index-text.ts": "texts of a ReadyWrite, and of maskOlder",
      "src/archive/sqlite/mask-older.ts": "masks",
      "src/archive/sqlite/forget.ts": "erases",
      "src/archive/sqlite/rebuild-index.ts": "from rows that are there",
      "src/archive/sqlite/scrub.ts": "names of chores",
      "src/archive/sqlite/schema.ts": "names of chores",
      "src/archive/postgres/put.ts": "a ReadyWrite",
      "src/archive/postgres/hold.ts": "ids",
      "src/archive/postgres/mask-older.ts": "masks",
      "src/archive/postgres/index-messages.ts": "from rows that are there",
      "src/archive/postgres/forget.ts": "erases",
      "src/archive/postgres/migrate.ts": "numbers of versions",
      "src/archive/postgres/schema.ts": "names of chores",
    },
  },
  {
    written: "text for people and services",
    pattern: /process\.stderr\.write|console\.|emitWarning\(|stream\.write\(/,
    files: {
      "src/cli/stderr.ts": "masks",
      "src/cli/gateway-command.ts": "lines of the log, and the inspector's own link for who started it",
      "src/cli/main.ts": "the version of Node",
      "src/cli/progress.ts": "names of stages",
      "src/archive/mask-once.ts": "masks",
      "src/report/warn-of-failure.ts": "masks",
    },
  },
  {
    written: "files",
    pattern: /appendFile(?:Sync)?\(|writeFile(?:Sync)?\(|createWriteStream\(/,
    files: {
      "src/report/session-log-file.ts": "masks",
      "src/archive/sqlite/create-file.ts": "a .gitignore of ours, nothing that was said",
      "src/cli/write-output.ts":
        "the conversation as its owner asked for it, a masked report, a masked export",
    },
  },
  {
    written: "stdout",
    pattern: /process\.stdout\.write/,
    files: { "src/cli/stdout.ts": "what the user of the command line asked for" },
  },
  {
    written: "the lines of a log",
    pattern: /createLog\(/,
    files: {
      "src/gateway/log.ts": "masks every text in every field",
      "src/cli/gateway-command.ts": "takes MaskedText to stderr",
    },
  },
  {
    written: "events to a listener",
    pattern: /\bonEvent\(/,
    files: { "src/compactor.ts": "as `toldEvent` tells them" },
  },
  {
    written: "labels of metrics",
    pattern: /_total\$\{labels\}/,
    files: { "src/gateway/metrics.ts": "masks and quotes every value" },
  },
  {
    written: "spans and their attributes",
    pattern: /\.startSpan\(|\.setAttributes?\(|\.updateName\(|\.setStatus\(|\.recordException\(|\.addEvent\(/,
    files: { "src/gateway/tracing.ts": "masks names, attributes and failures" },
  },
  {
    written: "errors of our own kinds",
    pattern: /extends Error\b/,
    files: {
      "src/errors/compaction-error.ts": "masks its message, for all that extend it",
      "src/gateway/refusals.ts": "masks its message",
      "src/inspect/refusal.ts": "masks its message",
      "src/gateway/faults.ts": "a fixed text",
      "src/gateway/upstream.ts": "a fixed text",
      "src/archive/sqlite/sqlite-failure.ts": "a fixed text",
      "src/adapters/compacting-fetch.ts": "never leaves the adapter",
    },
  },
  {
    written: "pages and answers over HTTP",
    pattern: /outgoing(?:\s*\.writeHead\([^)]*\))?\s*\.end\(|outgoing\.write\(/,
    files: {
      "src/gateway/gateway.ts": "metrics",
      "src/gateway/refusals.ts": "a Refusal",
      "src/gateway/pass-back.ts": "what the upstream said to its own client",
      "src/gateway/tool-turn.ts": "what the upstream said to its own client",
      "src/gateway/upstream.ts": "what the client said to its own upstream",
      "src/http/fetch-through.ts": "what a summarizer asks of its own model",
      "src/inspect/http-handler.ts": "what is in the archive",
      "src/inspect/live-rows.ts": "what is in the archive",
      "src/mcp/web-request.ts": "what is in the archive",
    },
  },
];

test.each(sorts)("every place that writes $written is known, with what masks it", ({ pattern, files }) => {
  expect(filesWith(pattern).toSorted()).toEqual(Object.keys(files).toSorted());
});

const planted = plantedSecrets("every write");
const lines = planted.map(({ line, secret }) => line(secret));
const said = lines.join("\n\n");

const turn = (at: number) => [
  user(`Part ${at} next. Always keep this as it is: ${lines[at % lines.length]}`),
  assistant("Running it.", call("bash", { command: `deploy ${lines[(at + 1) % lines.length]}` }, `c${at}`)),
  result(`Error: exit code 1\n${lines[(at + 2) % lines.length]}\n${`line of ${at}\n`.repeat(30)}`, {
    id: `c${at}`,
    isError: true,
  }),
  assistant(`Part ${at} is done.`),
];
const conversation = rawConversation(...Array.from({ length: planted.length }, (_, at) => turn(at)).flat());

/** Every file that writes to an archive, and what makes it do so. */
const writers: Readonly<Record<string, (archive: Archive) => Promise<unknown>>> = {
  "src/archive/import-conversation.ts": (archive) =>
    importConversation(archive, { conversationId: "imported", body: conversation, at: 1 }),
  "src/archive/withdrawn.ts": (archive) =>
    importConversation(archive, {
      conversationId: "withdrawn",
      body: conversation,
      at: 1,
      as: "withdrawn",
    }),
  "src/archive/titles.ts": (archive) =>
    importConversation(archive, { conversationId: "titled", body: conversation, at: 1, title: said }),
  "src/run/write-ahead.ts": async (archive) => {
    const compactor = createCompactor({ window: 4_000, archive });
    const { report, messages } = await compactor.compact(conversation, { conversationId: "compacted" });
    expect(report.compacted).toBe(true);
    await compactor.compact([...messages!, ...turn(1)], { conversationId: "compacted" });
  },
  "src/run/offload.ts": (archive) =>
    createCompactor({ window: 200_000, archive }).receive(
      { toolName: "bash", toolArguments: "{}", isError: false, text: `${said}\n`.repeat(60) },
      { conversationId: "received" },
    ),
  "src/cli/way-back.ts": (archive) => {
    const texts = [said, ...conversation.map((message) => `${JSON.stringify(message)}\n`)];
    const back = texts.map((text) => ({ start: 0, end: 0, text }));
    return keepWayBack(archive, { text: "", back, compaction: "pith:c", conversation: "written" });
  },
  "src/inspect/import-session.ts": (archive) => inspected(archive),
  "src/inspect/change.ts": async (archive) => {
    const given = await inspected(archive);
    const inspector = createInspector({ archive, given, title: "t", version: "0", readOnly: false });
    const { compaction } = await inspector.apply({ conversation: given.conversation, target: 2_000 });
    await inspector.undo(compaction);
  },
  "src/gateway/recipes.ts": (archive) =>
    createRecipes(archive, () => 1).keep("acme", "0123", {
      name: "acme/kept",
      state: { ...initialState, blockedReason: said },
      recipe: { covers: 1, entries: [JSON.stringify({ role: "user", content: said })], noted: false },
    }),
  "src/gateway/summaries/summary-store.ts": (archive) =>
    summaryStore(archive, () => 1).keep(job, {
      story: lines,
      until: 1,
      attempts: [],
      began: initialSummarizerState,
      state: initialSummarizerState,
    } as never),
  "src/gateway/summaries/waiting-snapshots.ts": (archive) => waitingSnapshots(archive, () => 1).keep(job),
};

const job = {
  tenant: "acme",
  snapshot: "0123",
  conversation: "acme/kept",
  text: JSON.stringify(conversation),
  format: "openai-chat",
  preset: "balanced",
  window: 4_000,
  reserve: 0,
  state: { ...initialState, blockedReason: said },
};

function inspected(archive: Archive) {
  const session = { conversation: "inspected", body: conversation, format: "auto", at: 1 };
  return importSession(archive, { ...session, pins: [], problems: [] });
}

/** An archive as a user may write one: it takes what it is given, and every call of every method is seen. */
function watched(): {
  readonly archive: Archive;
  readonly calls: { name: string; given: readonly unknown[] }[];
} {
  const calls: { name: string; given: readonly unknown[] }[] = [];
  const methods = Object.entries(memoryArchive()).map(([name, power]) => [
    name,
    typeof power === "function"
      ? (...given: readonly unknown[]) => {
          calls.push({ name, given });
          return (power as (...given: readonly unknown[]) => unknown)(...given);
        }
      : power,
  ]);
  return { archive: Object.fromEntries(methods) as Archive, calls };
}

test("every file that writes to an archive is made to write here", () => {
  // The last one writes back what it read from the archive.
  const known = [...Object.keys(writers), "src/archive/ready-write.ts", "src/cli/lessons-command.ts"];
  expect(filesWith(/\bwriteTo\(/).toSorted()).toEqual(known.toSorted());
});

test.each(Object.keys(writers))(
  "[R46] what %s gives to an archive was made ready, and holds no secret",
  async (file) => {
    const { archive, calls } = watched();
    await writers[file]!(archive);
    const writes = calls.filter(({ name }) => name === "put");
    expect(writes.length).toBeGreaterThan(0);
    for (const { given } of writes) {
      expect(given).toHaveLength(1);
      expect(isReady(given[0] as object)).toBe(true);
    }
    expect(foundIn(JSON.stringify(calls), planted).map(({ kind }) => kind)).toEqual([]);
    // The search would find them: it does in what came in.
    expect(foundIn(JSON.stringify(conversation), planted).length).toBe(planted.length);
    expect(maskText(said).masked.length).toBeGreaterThanOrEqual(planted.length);
  },
);
