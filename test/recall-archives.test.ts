/**
 * The same archive in memory, in SQLite and in PostgreSQL: the same questions have the same answers, in the same order.
 * A plain run has the questions about every fourth recorded conversation, or about those of the ten; PITH_FULL=1 asks them all, twice.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillArchive } from "../eval/recall/fill-archive.ts";
import { type RecallQuestion, readQuestions } from "../eval/recall/questions.ts";
import type { Archive, ArchiveWrite } from "../src/archive/archive.ts";
import { importConversation } from "../src/archive/import-conversation.ts";
import { memoryArchive } from "../src/archive/memory.ts";
import { postgresArchive } from "../src/archive/postgres.ts";
import { writeTo } from "../src/archive/ready-write.ts";
import { sqliteArchive } from "../src/archive/sqlite.ts";
import { stemOf } from "../src/archive/words.ts";
import { createCompactor } from "../src/index.ts";
import { relatedWords } from "../src/recall/related-words.ts";
import { recallSearch } from "../src/recall/search.ts";
import { assistant, call, result, user } from "../src/testing/builders.ts";
import { readingSession } from "../src/testing/reading-session.ts";
import { otherSession, session } from "./mcp-session.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";
import { hasAllRecordings, recordings, recordingsFolder, sayThatDataIsAbsent } from "./recordings.ts";

const full = process.env.PITH_FULL === "1";
const QUESTIONS = hasAllRecordings ? (full ? 200 : 25) : 9;
const FIRST = 10;

interface Asked {
  readonly query: string;
  readonly conversationId?: string;
}

let server: PostgresServer;
const folder = mkdtempSync(join(tmpdir(), "pith-recall-archives-"));
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** One of each kind, filled the same way. */
async function archivesOf(
  name: string,
  fill: (archive: Archive) => Promise<void>,
): Promise<readonly Archive[]> {
  const archives = [
    memoryArchive(),
    sqliteArchive({ file: join(folder, `${name}.sqlite`) }),
    postgresArchive({ url: await server.createDatabase(name) }),
  ];
  for (const archive of archives) await fill(archive);
  return archives;
}

/** Those about every eighth conversation. */
function everyEighth(questions: readonly RecallQuestion[]): readonly RecallQuestion[] {
  const conversations = [...new Set(questions.map(({ conversation }) => conversation))];
  return questions.filter(({ conversation }) => conversations.indexOf(conversation) % 8 === 0);
}

/** Of the ten recordings in the repository some have questions, too. */
async function askedQuestions(): Promise<readonly RecallQuestion[]> {
  if (hasAllRecordings) return full ? readQuestions() : everyEighth(readQuestions());
  const here = new Set<string>();
  for await (const { id } of recordings()) here.add(id);
  return readQuestions().filter(({ conversation }) => here.has(conversation));
}

/** The questions whose first ten are not the same everywhere, ids, order and scores; and how many messages were found. */
async function differing(archives: readonly Archive[], questions: readonly Asked[]) {
  const faults: unknown[] = [];
  let found = 0;
  for (const asked of questions) {
    const answers = await Promise.all(
      archives.map((archive) => recallSearch(archive, { ...asked, limit: FIRST, maxTokens: 1_000_000 })),
    );
    const [first] = answers;
    found += first!.results.length;
    if (new Set(answers.map((answer) => JSON.stringify(answer))).size > 1)
      faults.push({
        ...asked,
        places: answers.map(({ results }) =>
          results.map(({ conversationId, message }) => `${conversationId} ${message}`),
        ),
      });
  }
  for (const archive of archives) await archive.close!();
  return { faults, found };
}

test(
  `[R35] ${QUESTIONS} questions about recorded conversations are answered alike by every archive`,
  async () => {
    const written = await askedQuestions();
    const archives = await archivesOf("recorded", (archive) =>
      fillArchive(archive, recordingsFolder, written),
    );
    const everywhere = written.map(({ question }) => ({ query: question }));
    const inOne = written.map(({ question, conversation }) => ({
      query: question,
      conversationId: conversation,
    }));
    const asked = full
      ? [...everywhere, ...inOne]
      : everywhere.map((each, at) => (at % 2 === 0 ? each : inOne[at]!));
    expect(asked.length).toBeGreaterThanOrEqual(QUESTIONS);
    const { faults, found } = await differing(archives, asked);
    expect(faults.slice(0, 3)).toEqual([]);
    expect(found).toBeGreaterThan(asked.length * 5);
  },
  full ? 1_800_000 : 600_000,
);

if (!hasAllRecordings) sayThatDataIsAbsent("the same answers about other conversations");

/** As a person would ask who remembers the thing and not the word. */
function paraphrased(text: string): string {
  const words = text.match(/[A-Za-z]+|[^A-Za-z]+/g) ?? [];
  return words.map((word) => relatedWords(stemOf(word.toLowerCase()))[0]?.word ?? word).join("");
}

test("[R35] questions in the words of a message, and in others, are answered alike by every archive", async () => {
  const bodies = [
    readingSession(16, user("Never delete the cache, and write naïvely: Größe, 漢字, 🤖.")),
    session,
    otherSession,
    [
      user("Drop the cache."),
      assistant("Dropped the cache."),
      user("Drop the cache."),
      assistant("Done 🤖done."),
    ],
  ];
  const again = await compactedAgain();
  const archives = await archivesOf("own", async (archive) => {
    for (const [at, body] of bodies.entries())
      await importConversation(archive, { conversationId: `c${at}`, body, at });
    for (const write of again) await writeTo(archive, write);
  });
  const texts = bodies
    .flat()
    .flatMap(({ content }) => (typeof content === "string" ? [content.slice(0, 200)] : []));
  const asked = texts.flatMap((text) => [
    { query: text },
    { query: paraphrased(text), conversationId: "c0" },
  ]);
  const { faults, found } = await differing(archives, asked);
  expect(faults.slice(0, 3)).toEqual([]);
  expect(found).toBeGreaterThan(asked.length);
}, 300_000);

/** What is written of a session with hand-offs and answers of recall in it, as an adapter that forgets its state leaves it behind. */
async function compactedAgain(): Promise<readonly ArchiveWrite[]> {
  const writes: ArchiveWrite[] = [];
  const archive = memoryArchive();
  const put = async (write: ArchiveWrite): Promise<void> => {
    writes.push(write);
    await archive.put(write);
  };
  const compactor = createCompactor({ archive: { ...archive, put }, window: 4_000 });
  let messages: readonly unknown[] = readingSession(12, user("Read all modules."));
  for (let turn = 0; turn < 3; turn++) {
    const { messages: output } = await compactor.compact(messages, {
      target: "50%",
      conversationId: `again ${turn}`,
    });
    const query = `what does module ${turn} export?`;
    const { run } = await compactor.tools(output);
    const found = await run("recall_search", { query });
    const answered = [
      assistant("", call("recall_search", { query }, `r${turn}`)),
      result(found!, { id: `r${turn}` }),
    ];
    messages = [
      ...(output as readonly unknown[]),
      ...answered,
      ...readingSession(12, user(`Again ${turn}.`)),
    ];
  }
  expect(writes.length).toBeGreaterThan(2);
  return writes;
}
