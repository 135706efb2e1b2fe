/** Answers that say that the request was too long for the model, or that its messages do not belong together so. */
import type { IncomingMessage } from "node:http";
import { namesMessageShape } from "../providers/message-shape.ts";
import { contextOverflowOf } from "../providers/overflow.ts";
import { plainBody } from "./request-body.ts";

const REFUSED: ReadonlySet<number | undefined> = new Set([400, 413, 422]);
const LONGEST_ERROR = 256 * 1024;

export interface RefusedAnswer {
  readonly bytes: Buffer;
  /** What it says, where it says that the request was too long. */
  readonly overflow?: string;
  /** It names the shape of the messages. */
  readonly isAboutShape: boolean;
}

/** Reads an answer that may say so; undefined for any other, which is not touched. */
export async function refusedAnswer(answer: IncomingMessage): Promise<RefusedAnswer | undefined> {
  const length = Number(answer.headers["content-length"] ?? 0);
  if (!REFUSED.has(answer.statusCode) || !(length <= LONGEST_ERROR)) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const plain = await plainBody(bytes, answer.headers["content-encoding"], {
    maxBytes: LONGEST_ERROR,
  });
  const said = plain?.toString() ?? "";
  if (contextOverflowOf(said)) return { bytes, overflow: said, isAboutShape: false };
  return { bytes, isAboutShape: answer.statusCode !== 413 && namesMessageShape(said) };
}
