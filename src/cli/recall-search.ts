/** The questions of `pith recall`: one, for a person or as JSON, or many, one a line. */
import { z } from "zod";
import type { Archive } from "../archive/archive.ts";
import { InputError } from "../errors/input-error.ts";
import { OptionsError } from "../errors/options-error.ts";
import { schemaFault } from "../policy/schema-fault.ts";
import {
  type RecallAnswer,
  type RecallResult,
  type RecallSearchOptions,
  recallSearch,
} from "../recall/search.ts";
import { searchText } from "../recall/search-text.ts";
import { counted } from "../tokens/number-words.ts";
import { answerLines } from "./answer-lines.ts";
import { exitDone } from "./exit-codes.ts";
import { idSchema } from "./job.ts";
import type { RecallFlags } from "./recall-command.ts";
import { writeStderr } from "./stderr.ts";
import { writeStdout } from "./stdout.ts";
import { createStrayKeys } from "./stray-keys.ts";

/** Snippets of all results together, in tokens: enough for the most that may be asked for. */
const SNIPPET_TOKENS = 20_000;
const MOST_RESULTS = 1_000;

export async function search(archive: Archive, query: string, flags: RecallFlags): Promise<number> {
  if (query.trim() === "") throw new OptionsError("QUERY", "The question is empty. Ask in your own words.");
  const asked = {
    ...{ query, limit: limitOf(flags), maxTokens: SNIPPET_TOKENS },
    ...scopeOf(flags.conversation, flags),
  };
  if (!flags.json) {
    const { found, text } = await searchText(archive, asked);
    const fault = found === 0 ? await conversationFault(archive, flags.conversation) : undefined;
    if (fault !== undefined) throw new OptionsError("--conversation", fault);
    // It is for people that nothing was found; whoever reads the answer reads an empty one.
    if (found === 0) writeStderr(`${text}\n`);
    else await writeStdout(`${text}\n`);
    return exitDone;
  }
  const { results, found } = await recallSearch(archive, asked);
  const fault = found === 0 ? await conversationFault(archive, flags.conversation) : undefined;
  // Scripts read the empty answer; the person behind them is told why it is empty.
  if (fault !== undefined) writeStderr(`${fault}\n`);
  await writeStdout(`${JSON.stringify({ results: results.map(plain), found })}\n`);
  return exitDone;
}

/** Nothing is found in a conversation that is not there: that is no answer about what it says. */
async function conversationFault(archive: Archive, name: string | undefined): Promise<string | undefined> {
  if (name === undefined || !archive.conversations) return undefined;
  if ((await archive.conversations()).some(({ id }) => id === name)) return undefined;
  return `${archive.name} has no conversation ${name}. \`pith archive list\` names those it has.`;
}

const nameSchema = z.union([z.string(), z.number()]).nullish();

const questionSchema = z.object({
  ...idSchema.shape,
  query: z.string().min(1),
  conversationId: nameSchema,
  /** The same: lines that were written for earlier releases have it so. */
  conversation: nameSchema,
  limit: z.int().positive().max(MOST_RESULTS).nullish(),
});

const QUESTION_KEYS = ["id", "query", "conversationId", "limit"];

/** One question a line in, one answer a line out. */
export async function answerQuestions(archive: Archive, file: string, flags: RecallFlags): Promise<number> {
  const usual = limitOf(flags);
  const strayKeys = createStrayKeys("a question", QUESTION_KEYS, ["conversation"]);
  const { answered, failed } = await answerLines({
    file,
    called: "questions",
    answer: async (text, number) => {
      const given = jsonOf(text, number);
      const { data, error } = questionSchema.safeParse(given);
      const fault = error ? schemaFault(error, given, QUESTION_KEYS) : strayKeys.faultIn(given as object);
      if (fault !== undefined || !data) throw new InputError(`Line ${number} is not a question: ${fault}.`);
      const { id, query, limit, conversation, conversationId = conversation } = data;
      const scope = scopeOf(conversationId == null ? flags.conversation : String(conversationId), flags);
      const asked = { query, limit: limit ?? usual, maxTokens: SNIPPET_TOKENS, ...scope };
      const { results }: RecallAnswer = await recallSearch(archive, asked);
      return JSON.stringify({ id, results: results.map(plain) });
    },
  });
  writeStderr(
    `${strayKeys.told()}${counted(answered, "question")} answered, ${failed} of them with an error\n`,
  );
  return exitDone;
}

function jsonOf(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InputError(`Line ${line} is not JSON.`, {}, { cause });
  }
}

/** `conversation` says the same as `conversationId`, for scripts that were written for it. */
function plain({ conversationId, message, id, score, snippet, role, at, otherBranch }: RecallResult) {
  const where = { conversationId, conversation: conversationId, message };
  const when = new Date(at).toISOString();
  return { ...where, id, score, snippet, role, at: when, ...(otherBranch && { otherBranch }) };
}

function scopeOf(
  conversationId: string | undefined,
  { otherBranches = false }: RecallFlags,
): Pick<RecallSearchOptions, "conversationId" | "otherBranches"> {
  return { otherBranches, ...(conversationId !== undefined && { conversationId }) };
}

function limitOf({ limit = "10" }: RecallFlags): number {
  const count = Number(limit);
  if (/^\d+$/.test(limit) && count > 0 && count <= MOST_RESULTS) return count;
  throw new OptionsError("--limit", `--limit ${limit}: give a whole number from 1 to ${MOST_RESULTS}.`);
}
