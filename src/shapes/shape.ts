/** Shape: the contract of one way to show a tool's output shorter, by what kind of output it is. */

import type { ToolOutput } from "../conversation/tool-output.ts";
import type { OutputKind } from "../reading/agents/output-kinds.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { ToolHint } from "./tool-hints.ts";

export interface ShapeContext {
  readonly counter: TokenCounter;
  /** The id of the whole, `pith:…`; absent when nothing was archived. */
  readonly handle?: string | undefined;
  /**
   * The output is new: what source 1 keeps whole on arrival stays whole, reads of up to 500 lines, results of up to 100 rows and
   * failures that only their text tells (F33, F34, F36). @default false
   */
  readonly arriving?: boolean | undefined;
  /** How to get the rest when nothing was archived. @default what the shape says: to run the tool again, or the like */
  readonly again?: string | undefined;
  /** It is in a story, which says by itself that it is not all: no note, and gaps are not described. @default false */
  readonly isQuoted?: boolean | undefined;
  /** The most tokens that the shaped text may have; absent: as many as its kind needs to be told well. */
  readonly maxTokens?: number | undefined;
  /** The same in characters, for the shape that is asked; absent: see `roomFor`. */
  readonly room?: number | undefined;
}

export interface Shaped {
  /** The kind of output it was taken for, such as "test-run". */
  readonly kind: OutputKind;
  /** What replaces the output, its note included. */
  readonly text: string;
}

export interface Shape {
  readonly kind: OutputKind;
  /**
   * How surely the output is of this kind, 0 (no) to 1; the surest shape is asked first. Looks at the ends only. What is usual:
   * 0.85 to 0.95, the call asked for this kind and the text has its form, or the form is one that nothing else has, or the shape
   * reads whatever form there is (a web search);
   * 0.7 to 0.8, one of the two: a form that other kinds may have, or a call whose text can be anything (a file that was read);
   * 0.5 to 0.6, a form that plain text may have;
   * 0.2 to 0.45, the call asked for it and the text looks like something else: whichever shape knows the form goes before it;
   * 0.1, any text.
   * JSON is 0.8: kinds that are JSON and more are above it, a read of a file is below it, and so is told as JSON.
   */
  readonly recognises: (output: ToolOutput, hint: ToolHint) => number;
  /** Reads an output once, to tell it in one room after the other. */
  readonly shape: (output: ToolOutput, hint: ToolHint) => Teller;
}

/** The shorter form with its note, or undefined when there is nothing to take away. */
export type Teller = (context: ShapeContext) => string | undefined;
