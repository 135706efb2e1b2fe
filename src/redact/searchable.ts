/** searchable: a text of the same length in which masks and escaped line breaks cannot hide or join anything. */
import { MASK } from "./found-secret.ts";

/**
 * Masks become line ends, so that no shape reaches across one and what is masked is found once. `\\n` as in code or
 * JSON becomes the line end that it stands for: otherwise its `n` would touch the word that follows.
 */
export function searchable(text: string): string {
  let plain = text;
  if (plain.includes("[redacted: ")) plain = plain.replace(MASK, (mask) => "\n".repeat(mask.length));
  if (plain.includes("\\")) plain = plain.replace(ESCAPES, lineEnd);
  return plain;
}

const ESCAPES = /\\{1,8}[nrt]/g;

function lineEnd(escaped: string): string {
  return escaped.endsWith("n") ? "\n".padEnd(escaped.length) : " ".repeat(escaped.length);
}
