/** What holds for every output of a kind, whichever shape tells it. A new kind has a row here. */
import type { OutputKind } from "../reading/agents/output-kinds.ts";

export interface KindTraits {
  /**
   * What a mention of an error in it is. `content`: somebody's words, in a file, a page or a match in one, and no failure of
   * the call. `output`: a program's report. `by-call`: a report where a command printed it, content where another tool did.
   */
  readonly errors: "content" | "output" | "by-call";
  /** What repeats is no content: a few lines of a template tell the rest. */
  readonly repeats?: true;
  /** A line tells by where it is: the same line elsewhere is another. */
  readonly isPlaced?: true;
  /** It is told line by line: in a given room its lines are chosen from the whole at once. */
  readonly byLine?: true;
  /** What its shape leaves whole on arrival is not told as something else. */
  readonly isTable?: true;
}

const TRAITS = {
  "api-response": { errors: "by-call" },
  csv: { errors: "by-call", isTable: true },
  "database-rows": { errors: "by-call", isTable: true },
  diff: { errors: "content", isPlaced: true },
  "directory-listing": { errors: "content", isPlaced: true },
  "file-read": { errors: "content", isPlaced: true },
  "grep-results": { errors: "content", isPlaced: true },
  html: { errors: "content" },
  json: { errors: "by-call" },
  log: { errors: "output", repeats: true, byLine: true },
  records: { errors: "by-call" },
  "test-run": { errors: "output", repeats: true, byLine: true },
  text: { errors: "by-call", byLine: true },
  "web-page": { errors: "content" },
  "web-search": { errors: "content" },
  yaml: { errors: "by-call" },
} satisfies Record<OutputKind, KindTraits>;

export function traitsOf(kind: OutputKind): KindTraits {
  return TRAITS[kind];
}

/** A note may name a kind that another version knew. */
export function isOutputKind(word: string): word is OutputKind {
  return Object.hasOwn(TRAITS, word);
}
