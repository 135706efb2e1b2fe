/** Character codes: a text as an array of its UTF-16 codes, which is read several times faster than the string itself. */

/** Larger scratch space than this is not kept. */
const KEPT_CODES = 1 << 20;

interface Space {
  readonly codes: Uint16Array;
  /** The same memory, to write text into. */
  readonly bytes: Buffer;
}

let scratch = createSpace(1 << 14);

/** The codes of a text, at least `text.length` of them. Valid until the next call: for one pass over one text. */
export function charCodesOf(text: string): Uint16Array {
  let space = scratch;
  if (text.length > space.codes.length) {
    space = createSpace(text.length);
    if (text.length <= KEPT_CODES) scratch = space;
  }
  // UTF-16LE is what a Uint16Array holds on every machine that Node runs on.
  space.bytes.write(text, "utf16le");
  return space.codes;
}

function createSpace(length: number): Space {
  const codes = new Uint16Array(length);
  return { codes, bytes: Buffer.from(codes.buffer) };
}
