/** Character codes: a text as an array of its UTF-16 codes, which is read several times faster than the string itself. */

/** Larger scratch space than this is not kept. */
const KEPT_CODES = 1 << 20;

let scratch = new Uint16Array(1 << 14);

/** The codes of a text, at least `text.length` of them. Valid until the next call: for one pass over one text. */
export function charCodesOf(text: string): Uint16Array {
  if (text.length > scratch.length) {
    const codes = new Uint16Array(text.length);
    if (text.length <= KEPT_CODES) scratch = codes;
    return write(text, codes);
  }
  return write(text, scratch);
}

function write(text: string, codes: Uint16Array): Uint16Array {
  // UTF-16LE is what a Uint16Array holds on every machine that Node runs on.
  Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength).write(text, "utf16le");
  return codes;
}
