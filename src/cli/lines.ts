/** Lines of a byte stream, one at a time, so that memory holds the longest line and no more. */
import type { Readable } from "node:stream";

export interface InputLine {
  /** Counted from 1. */
  readonly number: number;
  /** Without the line feed. Absent when the line is longer than the limit; its bytes are passed over. */
  readonly bytes?: Buffer;
}

const lineFeed = 0x0a;

export async function* linesOf(stream: Readable, limitBytes: number): AsyncGenerator<InputLine> {
  let pieces: Buffer[] = [];
  let size = 0;
  let number = 1;

  const take = (): InputLine => {
    const line: InputLine = size > limitBytes ? { number } : { number, bytes: Buffer.concat(pieces, size) };
    pieces = [];
    size = 0;
    number++;
    return line;
  };
  const add = (piece: Buffer): void => {
    size += piece.length;
    if (size > limitBytes) pieces = [];
    else pieces.push(piece);
  };

  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (size > 0) yield take();
}
