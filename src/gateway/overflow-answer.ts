/** Answers that say that the request was too long for the model. */
import type { IncomingMessage } from "node:http";
import { contextOverflowOf } from "../providers/overflow.ts";
import { plainBody } from "./request-body.ts";

const OVERFLOW_STATUS: ReadonlySet<number | undefined> = new Set([400, 413, 422]);
const LONGEST_ERROR = 256 * 1024;

export interface RefusedAnswer {
  readonly bytes: Buffer;
  /** What it says, where it says that the request was too long. */
  readonly said?: string;
}

/** Reads an answer that may say so; undefined for any other, which is not touched. */
export async function overflowIn(answer: IncomingMessage): Promise<RefusedAnswer | undefined> {
  const length = Number(answer.headers["content-length"] ?? 0);
  if (!OVERFLOW_STATUS.has(answer.statusCode) || !(length <= LONGEST_ERROR)) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const plain = await plainBody(bytes, answer.headers["content-encoding"], {
    maxBytes: LONGEST_ERROR,
  });
  const said = plain?.toString();
  return { bytes, ...(said !== undefined && contextOverflowOf(said) && { said }) };
}
