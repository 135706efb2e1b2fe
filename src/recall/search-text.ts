/** searchText: the answer to a search as a model reads it, within a number of tokens. */
import type { Archive } from "../archive/archive.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { type RecallResult, type RecallSearchOptions, recallSearch, SEARCH_TOKENS } from "./search.ts";

export interface SearchText {
  readonly found: number;
  /** A heading and a passage for each result, and a last line that says how many there are. */
  readonly text: string;
}

export async function searchText(archive: Archive, options: RecallSearchOptions): Promise<SearchText> {
  const { maxTokens = SEARCH_TOKENS, counter = createTokenCounter() } = options;
  const room = maxTokens - FOOTER_TOKENS;
  const { results, found, hasOthers } = await recallSearch(archive, { ...options, counter, maxTokens: room });
  const others = hasOthers ? OTHERS : "";
  if (found === 0)
    return { found, text: `[nothing found: try other words, or a name as it was written${others}]` };
  const shown = results.map(resultText);
  const answer = () => [...shown, `[showing ${shown.length} of ${found} results${others}]`].join("\n\n");
  // Conversation names may be long: what is around a snippet is counted, too.
  while (counter.text(answer()) > maxTokens && shown.length > 0) shown.pop();
  return { found, text: answer() };
}

const FOOTER_TOKENS = 20;
const OTHERS = "; there are other branches, which other_branches includes";

/** What was taken back must not read as if it held. */
function resultText({ id, conversationId, message, role, at, snippet, otherBranch }: RecallResult): string {
  const standing = otherBranch ? ", NOT in this conversation's past: taken back, or of another branch" : "";
  return `${id} message ${message} of ${conversationId}, ${role}, ${timeText(at)}${standing}\n${snippet}`;
}

/** Times beyond those that a date can be come as they are. */
function timeText(at: number): string {
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : String(at);
}
