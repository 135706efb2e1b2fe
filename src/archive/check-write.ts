/** checkWrite: refuses what an archive could not give back as it came. Every archive asks it before it writes. */
import { ArchiveError } from "../errors/archive-error.ts";
import type { ArchiveWrite } from "./archive.ts";

/** @param archive the name of the archive, for the error */
export function checkWrite(
  archive: string,
  { conversation, about = "", at, items, messages = [], compaction }: ArchiveWrite,
): void {
  const refuse = (what: string): never => {
    throw new ArchiveError(archive, `${what} Nothing was written to ${archive}.`);
  };
  if (![conversation, about].every(isName)) {
    refuse("The name of a conversation must be text without NUL characters and halves of surrogate pairs.");
  }
  if (!Number.isSafeInteger(at)) refuse(`The time of a write must be whole milliseconds, not ${at}.`);
  for (const { id, content } of items) {
    if (!ID.test(id))
      refuse(`${JSON.stringify(id)} is no id of an item: it must read pith: and letters or digits.`);
    if (typeof content !== "string") refuse(`The content of ${id} must be text, not ${typeof content}.`);
  }
  for (const message of messages) {
    if (
      !Number.isSafeInteger(message.position) ||
      message.position < 0 ||
      !Number.isSafeInteger(message.at)
    ) {
      refuse(`Position and time of message ${message.id} must be whole numbers, the position from 0 on.`);
    }
    if (typeof message.text !== "string") refuse(`The text of message ${message.id} must be text.`);
  }
  if (compaction && (!ID.test(compaction.id) || compaction.conversation !== conversation)) {
    refuse(`The compaction ${compaction.id} must have an id and belong to the conversation that is written.`);
  }
}

function isName(name: unknown): boolean {
  return typeof name === "string" && name.isWellFormed() && !name.includes("\0");
}

const ID = /^pith:[0-9a-z]{8,}$/;
