/** Turn: what a person asks and an agent does about it, in no wire format yet. */
import fc from "fast-check";
import { output, text, visible } from "./texts.ts";

export interface Turn {
  readonly asked: string;
  /** The person shows a picture as well. */
  readonly picture: boolean;
  readonly steps: readonly Step[];
  readonly answer: string;
}

export interface Step {
  /** May be empty: then there are only calls. */
  readonly said: string;
  readonly calls: readonly Call[];
  readonly thinks: boolean;
  /** The provider searches the web on its own side. */
  readonly searches: boolean;
  /** The provider asks for an approval, and is given it. */
  readonly asksApproval: boolean;
}

export interface Call {
  readonly name: string;
  readonly input: object;
  readonly output: string;
  readonly fails: boolean;
  /** The output is a list of blocks, not a text. */
  readonly inBlocks: boolean;
  /** The tool takes free text. */
  readonly isCustom: boolean;
}

const call: fc.Arbitrary<Call> = fc.record({
  name: fc.constantFrom("read_file", "run_tests", "write_file"),
  input: fc.oneof(
    fc.constant({}),
    fc.constant({ path: "src/a.ts", lines: [1, 20] }),
    text.map((content) => ({ path: "src/b.ts", content })),
  ),
  output,
  fails: fc.boolean(),
  inBlocks: fc.boolean(),
  isCustom: rarely(),
});

const step: fc.Arbitrary<Step> = fc.record({
  said: fc.oneof(fc.constant(""), visible),
  calls: fc.array(call, { minLength: 1, maxLength: 4 }),
  thinks: fc.boolean(),
  searches: rarely(),
  asksApproval: rarely(),
});

export const anyTurn: fc.Arbitrary<Turn> = fc.record({
  asked: visible,
  picture: rarely(),
  steps: fc.array(step, { maxLength: 4 }),
  // The last words of a request may not end in white space.
  answer: visible.map((said) => said.trimEnd()),
});

function rarely(): fc.Arbitrary<boolean> {
  return fc.nat(7).map((drawn) => drawn === 0);
}
