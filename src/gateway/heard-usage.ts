/** HeardUsage: the tokens that an answer says it cost, read from its first and last bytes as they pass. */

export interface HeardUsage {
  readonly hear: (bytes: Buffer | string) => void;
  /** Undefined where the answer does not say. */
  readonly tokens: () => { readonly input: number | undefined; readonly output: number | undefined };
}

/** A Messages stream tells the input in its first event; everything else stands near the end. */
const HEAD_BYTES = 4_096;
const TAIL_BYTES = 16_384;

export function heardUsage(): HeardUsage {
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  return {
    hear: (bytes) => {
      const chunk = Buffer.from(bytes as Buffer);
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES);
      tail =
        chunk.length >= TAIL_BYTES
          ? chunk.subarray(-TAIL_BYTES)
          : Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES);
    },
    tokens: () => {
      const [start, end] = [head.toString("latin1"), tail.toString("latin1")];
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
