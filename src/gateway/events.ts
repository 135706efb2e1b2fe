/** The events of a server-sent stream, each with the empty line that ends it: joined, they are the very bytes. */

export async function* eventsOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = endOfEvent(rest); end > 0; end = endOfEvent(rest)) {
      yield rest.subarray(0, end);
      rest = rest.subarray(end);
    }
  }
  if (rest.length > 0) yield rest;
}

/** Where the first event ends; 0 where it does not. */
function endOfEvent(bytes: Buffer): number {
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
    if (bytes[at + 1] === 0x0a) return at + 2;
    if (bytes[at + 1] === 0x0d && bytes[at + 2] === 0x0a) return at + 3;
  }
  return 0;
}
