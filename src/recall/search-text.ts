/** searchText: the answer to a search as a model reads it, within a number of tokens. */
import type { Archive } from "../archive/archive.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { type RecallResult, type RecallSearchOptions, recallSearch, SEARCH_TOKENS } from "./search.ts";

/** A heading and a passage for each result, and a last line that says how many there are. */
export async function searchText(archive: Archive, options: RecallSearchOptions): Promise<string> {
  const { maxTokens = SEARCH_TOKENS, counter = createTokenCounter() } = options;
  const room = maxTokens - FOOTER_TOKENS;
  const { results, found } = await recallSearch(archive, { ...options, counter, maxTokens: room });
  if (found === 0) return "[nothing found: try other words, or a name as it was written]";
  const shown = results.map(resultText);
  // Conversation names may be long: what stands around a snippet is counted, too.
  while (counter.text(shown.join("\n\n")) > room && shown.length > 0) shown.pop();
  return [...shown, footer(shown.length, found)].join("\n\n");
}

const FOOTER_TOKENS = 20;

function resultText({ id, conversation, message, role, at, snippet }: RecallResult): string {
  return `${id} message ${message} of ${conversation}, ${role}, ${timeText(at)}\n${snippet}`;
}

/** Times beyond those that a date can be come as they are. */
function timeText(at: number): string {
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : String(at);
}

function footer(shown: number, found: number): string {
  return `[showing ${shown} of ${found} results]`;
}
