/** goOn: a recording in a small window, fed message by message and said on until it was compacted so many times. */
import { sqliteArchive } from "../../src/archive/sqlite.ts";
import { endsInFlight } from "../../src/conversation/turn.ts";
import { createCompactor } from "../../src/index.ts";
import { readConversation } from "../../src/providers/detect.ts";
import type { Summarizer } from "../../src/summarizer/summarizer.ts";
import { createTokenCounter } from "../../src/tokens/counter.ts";
import type { CutCase } from "../exam/cut-case.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import { looped } from "../recordings/looped.ts";

export interface GoOnOptions {
  readonly archiveFile: string;
  readonly compactions: number;
  /** The window is this share of the recording. */
  readonly windowShare: number;
  /** Writes the story of every hand-off; waited for. */
  readonly summarizer?: Summarizer | undefined;
}

export interface GoneOn {
  readonly messages: readonly WireMessage[];
  readonly compactions: number;
  readonly window: number;
  /** Tokens of what is left, and of all that was said until then. */
  readonly tokens: number;
  readonly saidTokens: number;
}

const counter = createTokenCounter();
const smallestWindow = 8000;

/** What is asked about is said once; only what came after it is said again. The archive keeps the state as well. */
export async function goOn({ case: { id }, past, future }: CutCase, options: GoOnOptions): Promise<GoneOn> {
  const { archiveFile, windowShare, summarizer } = options;
  const format = "openai-chat";
  const tokensOf = (body: readonly WireMessage[]) => counter.conversation(readConversation(body, { format }));
  const prompts = past.filter(({ role }) => role === "system");
  const window =
    Math.max(smallestWindow, Math.ceil(tokensOf([...past, ...future]) * windowShare)) + tokensOf(prompts);
  const archive = sqliteArchive({ file: archiveFile });
  let now = 0;
  const compactor = createCompactor({
    format,
    window,
    archive,
    clock: () => now,
    ...(summarizer && { summarizer }),
  });
  let messages: readonly WireMessage[] = [];
  let compactions = 0;
  let saidTokens = 0;
  try {
    for (const next of said(past, future)) {
      now += 10_000;
      messages = [...messages, next];
      saidTokens += tokensOf([next]);
      const { messages: read } = readConversation(messages, { format });
      if (read.at(-1)!.role === "assistant" || endsInFlight(read)) continue;
      const { messages: output, report } = await compactor.compact(messages, {
        conversationId: id,
        summarize: summarizer !== undefined,
      });
      if (report.error) throw report.error;
      if (report.summary?.failure !== undefined)
        throw new Error(`${compactions + 1}: ${JSON.stringify(report.summary)}`);
      messages = output as readonly WireMessage[];
      if (report.compacted) compactions++;
      if (compactions === options.compactions) break;
    }
  } finally {
    await archive.close?.();
  }
  return { messages, compactions, window, tokens: tokensOf(messages), saidTokens };
}

function* said(past: readonly WireMessage[], future: readonly WireMessage[]): Generator<WireMessage> {
  yield* past;
  yield* looped(future);
}
