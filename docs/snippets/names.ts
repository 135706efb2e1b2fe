/** What snippets in the docs take for granted: the reader's own conversation, client, tools and models. */
import type { CompactionState, Compactor } from "pith";
import type { Format } from "pith/providers";
import type { Embedder } from "pith/recall";

declare global {
  /** A message as OpenAI's chat completions have it. */
  interface ChatMessage {
    role: string;
    content: string;
  }
  let messages: ChatMessage[];
  /** A request body, and the same after a compaction. */
  const body: { messages: ChatMessage[] };
  const smaller: typeof body;
  let state: CompactionState | undefined;
  const lastState: CompactionState | undefined;
  const lastAnswer: { usage: { prompt_tokens: number } } | undefined;
  const compactor: Compactor;
  /** A session file. */
  const text: string;
  const query: string;
  const myModel: { embed: Embedder };
  const myFormat: Format;
  const sampleBody: unknown;
  /** What the reader's own agent has. */
  const own: { tools: Record<string, never> };
  const ownTools: unknown[];
  const [model, tools]: [unknown, unknown[]];
  /** A call by the model. */
  const [name, args]: [string, unknown];
  const client: {
    chat: { completions: { create(request: { model: string; messages: ChatMessage[] }): Promise<unknown> } };
  };
}
