/** An original from the archive. */
import type { TokenKind } from "./message.ts";

/** GET api/items/:id?from=&count= : a page of lines; at most 2,000 at a time. `raw=1` gives it as it is stored. */
export interface ItemView {
  readonly id: string;
  readonly kind: "text" | "message" | "glue" | "span" | "request" | "hand-off" | "plan" | "state";
  /** How many lines there are, and the first of this page, from 0. */
  readonly total: number;
  readonly from: number;
  /** A line longer than 10,000 characters is cut there, and ends with "…". */
  readonly lines: readonly string[];
  /** Of a message: what begins at which line. */
  readonly pieces: readonly { readonly line: number; readonly kind: TokenKind; readonly tool?: string }[];
  /** The kinds of the secrets that were masked in it. */
  readonly masked: readonly string[];
  /** When it was erased; then there are no lines. */
  readonly forgotten?: number;
}
