/** HeardUsage: the tokens that an answer says it cost, read from its first and last bytes as they pass. */

export interface HeardUsage {
  readonly hear: (bytes: Buffer | string) => void;
  /** Undefined where the answer does not say. */
  readonly tokens: () => { readonly input: number | undefined; readonly output: number | undefined };
}

/** A Messages stream tells the input in its first event; everything else is near the end. */
const HEAD_LENGTH = 4_096;
const TAIL_LENGTH = 16_384;

export function heardUsage(): HeardUsage {
  let head = "";
  /** The last pieces, as many as are needed for the tail. */
  let pieces: string[] = [];
  let length = 0;
  return {
    hear: (bytes) => {
      const piece = typeof bytes === "string" ? bytes : bytes.toString("latin1");
      if (head.length < HEAD_LENGTH) head += piece.slice(0, HEAD_LENGTH);
      pieces.push(piece);
      length += piece.length;
      if (length < 2 * TAIL_LENGTH) return;
      pieces = [pieces.join("").slice(-TAIL_LENGTH)];
      length = TAIL_LENGTH;
    },
    tokens: () => {
      const [start, end] = [head, pieces.join("").slice(-TAIL_LENGTH)];
      const last = (pattern: RegExp): number | undefined => {
        const found = [...end.matchAll(pattern)].at(-1) ?? [...start.matchAll(pattern)].at(-1);
        return found && Number(found[1]);
      };
      return { input: last(INPUT), output: last(OUTPUT) };
    },
  };
}

// Inside a text of the model the quotes would have backslashes before them.
const INPUT = /"(?:prompt|input)_tokens"\s*:\s*(\d+)/g;
const OUTPUT = /"(?:completion|output)_tokens"\s*:\s*(\d+)/g;
