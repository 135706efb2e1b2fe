/** Reading what the command line names: a file or stdin, whole or line by line, within a limit. */
import { createReadStream, type Stats } from "node:fs";
import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { InputError } from "../errors/input-error.ts";

/** The largest conversation that is read: 256 MB. With --jsonl it is the largest line. */
export const inputLimitBytes = 256 * 1024 * 1024;

/** The text of a file, or of stdin for `-`. Throws InputError before reading what is too large. */
export async function readInput(file: string): Promise<string> {
  const { stream, name } = await openInput(file, inputLimitBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of readable(stream, name)) {
    size += chunk.length;
    if (size > inputLimitBytes) throw tooLarge(name);
    chunks.push(chunk);
  }
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks.splice(0), size);
  if (bytes.toString("latin1", 0, 4096).trim() === "" && size <= 4096) {
    throw new InputError(
      `${name} is empty. Give a conversation: JSON, a list of messages or a request body.`,
    );
  }
  const text = decodeText(bytes, name);
  // A collection would take the bytes only when there is as much again of what is made of them.
  if (bytes.length === bytes.buffer.byteLength) (bytes.buffer as ArrayBuffer).transfer(0);
  return text;
}

/** A stream of bytes from a file or stdin, with the size where it is known. */
export async function openInput(
  file: string,
  limitBytes = Number.POSITIVE_INFINITY,
): Promise<{ stream: Readable; name: string; size?: number }> {
  if (file === "-") {
    if (process.stdin.isTTY) {
      throw new InputError(
        "Nothing to read: name a file, or pipe a conversation in (pith compact - < session.json).",
      );
    }
    return { stream: process.stdin, name: "stdin" };
  }
  const found = await statInput(file);
  if (found.isDirectory()) throw new InputError(`${file} is a folder. Name a file in it.`);
  if (found.size > limitBytes) throw tooLarge(file);
  // What is read as a whole comes in one piece: of many, each would have to be collected.
  const isWhole = found.isFile() && found.size > 0 && limitBytes < Number.POSITIVE_INFINITY;
  const stream = createReadStream(file, isWhole ? { highWaterMark: found.size } : {});
  return { stream, name: file, ...(found.isFile() && { size: found.size }) };
}

/** UTF-8 text; anything else is refused with the reason, rather than read wrongly. */
export function decodeText(bytes: Uint8Array, name: string): string {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    throw new InputError(`${name} is gzip-compressed. Unpack it first: gunzip -c FILE | pith compact -`);
  }
  if (bytes.includes(0)) {
    throw new InputError(`${name} is binary: byte ${bytes.indexOf(0)} is zero. Give JSON text in UTF-8.`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new InputError(`${name} is not UTF-8 text. Give JSON text in UTF-8.`, {}, { cause: error });
  }
}

async function statInput(file: string): Promise<Stats> {
  try {
    return await stat(file);
  } catch (error) {
    throw cannotRead(file, error);
  }
}

async function* readable(stream: Readable, name: string): AsyncGenerator<Buffer> {
  try {
    yield* stream as AsyncIterable<Buffer>;
  } catch (error) {
    throw error instanceof InputError ? error : cannotRead(name, error);
  }
}

export function cannotRead(file: string, error: unknown): InputError {
  const code = (error as NodeJS.ErrnoException).code;
  const why =
    code === "ENOENT"
      ? "there is no such file. Check the path"
      : code === "EACCES" || code === "EPERM"
        ? "reading it is not permitted. Check its permissions"
        : `reading failed (${code ?? String(error)})`;
  return new InputError(`${file}: ${why}.`, {}, { cause: error });
}

function tooLarge(name: string): InputError {
  return new InputError(
    `${name} is larger than the limit of ${inputLimitBytes / 1024 / 1024} MB. Split it into several conversations.`,
  );
}
