/** What makes two errors the same: the same words from the same source. */
import type { ErrorFact } from "./ledger.ts";

export function errorKey({ source, text }: Pick<ErrorFact, "source" | "text">): string {
  return `${source}\n${text}`;
}
