/** Pieces: what the broken and hostile conversations of every wire format are put together from. */
import fc from "fast-check";
import { text } from "./texts.ts";

export type Wire = Readonly<Record<string, unknown>>;

export const oddValue = fc.oneof(
  fc.constantFrom<unknown>(null, 0, 7, true, "", [], {}, [null], [[]], [1, "x"], { text: "odd" }),
  fc.jsonValue({ maxDepth: 2 }),
);
export const callArguments = fc.oneof(
  fc.constantFrom<unknown>({}, { path: "src/a.ts" }, { id: 12345678, flag: null }),
  text.map((content) => ({ path: "src/b.ts", content })),
  fc.jsonValue({ maxDepth: 2 }),
);
export const toolName = fc.constantFrom("read_file", "run_tests", "web_search", "execute_sql", "x", "");
export const role = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("user", "assistant") },
  { weight: 1, arbitrary: fc.constantFrom("system", "developer", "critic", "function", "") },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(undefined, null, 3) },
);

/** How the results of a batch of calls come back. */
export type Answering = "all" | "reversed" | "missing" | "duplicated" | "none";
export const answering = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Answering>("all") },
  { weight: 4, arbitrary: fc.constantFrom<Answering>("reversed", "missing", "duplicated", "none") },
);

/** Ids of answers to calls with these ids, in the order they come. */
export function answersTo(ids: readonly string[], how: Answering): readonly string[] {
  if (how === "reversed") return ids.toReversed();
  if (how === "missing") return ids.slice(1);
  if (how === "duplicated") return [...ids, ...ids.slice(0, 1)];
  return how === "none" ? [] : ids;
}

/** A few messages that belong together, as wire values; `n` makes the ids of their calls distinct. */
export type Piece = (n: number) => readonly Wire[];

export interface Pieces {
  readonly plain: fc.Arbitrary<Piece>;
  readonly calling: fc.Arbitrary<Piece>;
  readonly odd: fc.Arbitrary<Piece>;
}

export function messagesOf({ plain, calling, odd }: Pieces): fc.Arbitrary<readonly Wire[]> {
  const piece = fc.oneof(
    { weight: 5, arbitrary: plain },
    { weight: 5, arbitrary: calling },
    { weight: 1, arbitrary: odd },
  );
  return fc
    .array(piece, { maxLength: 14, size: "max" })
    .map((pieces) => pieces.flatMap((make, n) => make(n)));
}
