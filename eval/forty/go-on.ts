/** goOn: a recording in a window of a quarter of it, fed message by message and said on until it was compacted forty times. */
import { sqliteArchive } from "../../src/archive/sqlite.ts";
import { endsInFlight } from "../../src/conversation/turn.ts";
import { createCompactor, createTokenCounter, readConversation } from "../../src/index.ts";
import type { CutCase } from "../exam/cut-case.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import { looped } from "../recordings/looped.ts";

export const COMPACTIONS = 40;

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

/** The first quarter is said once; only what came after it is said again. The archive keeps the state as well. */
export async function goOn({ case: { id }, past, future }: CutCase, archiveFile: string): Promise<GoneOn> {
  const format = "openai-chat";
  const tokensOf = (body: readonly WireMessage[]) => counter.conversation(readConversation(body, { format }));
  const prompts = past.filter(({ role }) => role === "system");
  const window = Math.max(smallestWindow, Math.ceil(tokensOf([...past, ...future]) / 4)) + tokensOf(prompts);
  const archive = sqliteArchive({ file: archiveFile });
  let now = 0;
  const compactor = createCompactor({ format, window, archive, clock: () => now });
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
      const { output, report } = await compactor.compact(messages, { conversation: id });
      if (report.error) throw report.error;
      messages = output as readonly WireMessage[];
      if (report.compacted) compactions++;
      if (compactions === COMPACTIONS) break;
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
