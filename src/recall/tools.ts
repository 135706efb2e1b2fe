/** recall_search and recall_expand: the tools by which an agent asks for what left its context, the same at every door. */
import { z } from "zod";
import type { Archive } from "../archive/archive.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { Asking, Outside } from "./asked-branch.ts";
import type { EmbeddedMedia } from "./embedded-media.ts";
import type { Embedder } from "./embedder.ts";
import { EXPAND_TOKENS, recallExpand } from "./expand.ts";
import { SEARCH_LIMIT, SEARCH_TOKENS } from "./search.ts";
import { searchText } from "./search-text.ts";
import type { VectorIndex } from "./vector-index.ts";

export const RECALL_SEARCH = "recall_search";
export const RECALL_EXPAND = "recall_expand";

export interface RecallTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Takes any arguments: those that do not fit the schema are answered with what is wrong, not with an exception. */
  readonly run: (given: unknown) => Promise<RecallToolAnswer>;
}

export interface RecallToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  /** Pictures, sounds and files that the text has notes of, for doors that can show them. */
  readonly media?: readonly EmbeddedMedia[];
}

export interface RecallToolsOptions {
  /** Searches stay in it, whatever the arguments say. @default every conversation of the archive */
  readonly conversationId?: string;
  /** What is not in the past of the one who asks. @default by the last compaction of each conversation */
  readonly outside?: Outside;
  /** Whether other branches may be asked for; where they may be another client's, they must not. @default true */
  readonly mayAskOthers?: boolean;
  readonly embed?: Embedder;
  readonly vectors?: VectorIndex;
  readonly counter?: TokenCounter;
}

/** Offer them in any wire format through `toolDefinition`, and give a call's parsed arguments to `run`. */
export function recallTools(archive: Archive, options: RecallToolsOptions = {}): readonly RecallTool[] {
  const { conversationId: only, mayAskOthers = true, ...means } = options;
  const from = (others: boolean): Asking => ({ otherBranches: others && mayAskOthers });
  return [
    tool({
      name: RECALL_SEARCH,
      description:
        "Search everything that was said, done or printed earlier, also what has left the context. Ask in plain words " +
        "or give names, paths and ids. Answers with passages and the ids to open them with recall_expand.",
      schema: searchSchema,
      run: async ({ max_tokens: maxTokens, other_branches: others, ...given }) => {
        const { query, limit, since, until, conversation, roles, tool } = given;
        const scope = {
          ...from(others),
          conversationId: only ?? conversation,
          roles,
          tool,
          since: startOf(since),
          until: endOf(until),
        };
        const { text } = await searchText(archive, { query, limit, maxTokens, ...known(scope), ...means });
        return { text, isError: false };
      },
    }),
    tool({
      name: RECALL_EXPAND,
      description:
        "Open an original: by an id such as pith:0abc… , a turn of a hand-off as pith:0abc…#7, one step of it as #7.2, or a " +
        "range of messages of a conversation. What is large comes by its turns or steps, or in pages; grep shows only the " +
        "lines that match.",
      schema: expandSchema,
      run: async ({ max_tokens: maxTokens, other_branches: others, ...given }) => {
        const { counter, outside } = means;
        const { conversation, ...rest } = given;
        const asked = { ...rest, ...from(others), conversationId: only ?? conversation, counter, outside };
        const page = await recallExpand(archive, { ...known(asked), maxTokens });
        return { text: page.text, isError: !page.found, ...(page.media && { media: page.media }) };
      },
    }),
  ];
}

/** Runs a call by the tool's name. Undefined when the name is none of these tools. */
export function runRecallTool(
  tools: readonly RecallTool[],
  name: string,
  given: unknown,
): Promise<RecallToolAnswer> | undefined {
  return tools.find((each) => each.name === name)?.run(given);
}

const maxTokens = (usual: number) =>
  z.int().min(60).max(50_000).default(usual).describe("The whole answer costs at most this many tokens.");

const time = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: "give a date such as 2026-01-31, or a time such as 2026-01-31T09:30:00Z",
  })
  .optional();

const otherBranches = z
  .boolean()
  .default(false)
  .describe("Also what was taken back by going back, or said in another branch; it says so.");

const searchSchema = z.object({
  query: z.string().min(1).max(2_000).describe("A question in plain words, or names, paths, ids."),
  conversation: z.string().optional().describe("Only in this conversation."),
  roles: z.array(z.enum(["system", "user", "assistant", "tool", "other"])).optional(),
  tool: z.string().optional().describe("Only calls and results of this tool."),
  since: time.describe("Not before this time, in ISO 8601."),
  until: time.describe("Not after this time, in ISO 8601."),
  limit: z.int().min(1).max(50).default(SEARCH_LIMIT),
  other_branches: otherBranches,
  max_tokens: maxTokens(SEARCH_TOKENS),
});

const expandSchema = z.object({
  id: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe("What to open; with #7 its turn 7, #7-9, #7.2. Or a conversation."),
  conversation: z.string().optional().describe("Messages of this conversation, by from and to."),
  from: z.int().min(0).optional().describe("Number of the first message."),
  to: z.int().min(0).optional().describe("Number of the last message."),
  grep: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe("Only lines with this: words, a|b for either, a.*b for one after the other."),
  offset: z.int().min(0).default(0).describe("Where to go on: the last page says it."),
  other_branches: otherBranches,
  max_tokens: maxTokens(EXPAND_TOKENS),
});

interface ToolToMake<Schema extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  readonly run: (given: z.output<Schema>) => Promise<RecallToolAnswer>;
}

function tool<Schema extends z.ZodType>({ name, description, schema, run }: ToolToMake<Schema>): RecallTool {
  return {
    name,
    description,
    parameters: z.toJSONSchema(schema, { io: "input" }),
    run: async (given) => {
      const parsed = schema.safeParse(given ?? {});
      if (parsed.success) return run(parsed.data);
      return { text: `${name}: ${z.prettifyError(parsed.error)}`, isError: true };
    },
  };
}

function startOf(given: string | undefined): number | undefined {
  return given === undefined ? undefined : Date.parse(given);
}

/** A date means all of that day. */
function endOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  return Date.parse(given.includes("T") ? given : `${given}T23:59:59.999Z`);
}

type Known<Value> = { [Key in keyof Value]: Exclude<Value[Key], undefined> };

/** The same without what is undefined. */
function known<Value extends object>(value: Value): Partial<Known<Value>> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Partial<
    Known<Value>
  >;
}
