/** The way back: an answer of the upstream to the client, byte for byte, as fast as the client takes it. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { ClientGoneError, UpstreamCutError } from "./faults.ts";
import { passedOn } from "./headers.ts";
import type { ShedReason } from "./preparation.ts";

export interface PassingBack {
  readonly requestId: string;
  readonly shed?: ShedReason | undefined;
  /** The answer's bytes, where they were read already. */
  readonly bytes?: Buffer;
  /** Hears the bytes that pass. */
  readonly hear?: ((bytes: Buffer) => void) | undefined;
}

export async function passBack(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  { requestId, shed, bytes, hear }: PassingBack,
): Promise<void> {
  writeAnswerHead(answer, outgoing, { requestId, shed });
  if (bytes) {
    outgoing.end(bytes);
    return;
  }
  outgoing.flushHeaders();
  // subtle: `pipeline` does the same, at the price of an abort signal for every answer.
  await new Promise<void>((resolve, reject) => {
    const end = (): void => (outgoing.writableFinished ? resolve() : reject(new ClientGoneError()));
    answer.once("error", (cause) => reject(new UpstreamCutError({ cause })));
    outgoing.once("error", reject).once("close", end).once("finish", resolve);
    if (hear) answer.on("data", hear);
    answer.pipe(outgoing);
  });
}

/** Status and headers as they came, the request's id, and why it was not prepared, where there was too much to do. */
export function writeAnswerHead(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  { requestId, shed, isRewritten = false, length }: AnswerHead,
): void {
  const headers = passedOn(answer, isRewritten ? ["content-length"] : []);
  if (length !== undefined) headers.push("Content-Length", String(length));
  if (answer.headers["x-request-id"] === undefined) headers.push("X-Request-Id", requestId);
  if (shed !== undefined) headers.push("X-Pith-Shed", shed);
  outgoing.sendDate = false;
  outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? "", headers);
}

export interface AnswerHead {
  readonly requestId: string;
  readonly shed?: ShedReason | undefined;
  /** The body is not the upstream's own: its length is another one. */
  readonly isRewritten?: boolean;
  /** The length of such a body, where it is known. */
  readonly length?: number;
}
