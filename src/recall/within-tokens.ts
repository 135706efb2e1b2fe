/** withinTokens: as many results as fit a number of tokens; the first is cut rather than left out. */
import type { TokenCounter } from "../tokens/token-counter.ts";
import { pageOf } from "./page.ts";

/** What is around a snippet when a result is shown: its id, conversation, role and time. */
export const RESULT_TOKENS = 40;

export function withinTokens<Result extends { readonly snippet: string }>(
  results: readonly Result[],
  maxTokens: number,
  counter: TokenCounter,
): readonly Result[] {
  const kept: Result[] = [];
  let room = maxTokens;
  for (const result of results) {
    room -= RESULT_TOKENS;
    if (room <= 0) break;
    const tokens = counter.text(result.snippet);
    if (tokens > room) {
      if (kept.length === 0) kept.push({ ...result, snippet: cut(result.snippet, room, counter) });
      break;
    }
    kept.push(result);
    room -= tokens;
  }
  return kept;
}

function cut(snippet: string, maxTokens: number, counter: TokenCounter): string {
  return `${pageOf(snippet, { from: 0, maxTokens: maxTokens - 1, counter }).text.trimEnd()}…`;
}
