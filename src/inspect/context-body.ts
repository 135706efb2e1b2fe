/** contextBody: the request that a conversation would be sent as now, put together from what the archive holds. */
import type { Archive } from "../archive/archive.ts";
import { withMessages } from "../conversation/conversation.ts";
import { bodyOfSources } from "../providers/body-of-sources.ts";
import { readConversation, writeConversation } from "../providers/detect.ts";
import { rawOriginal } from "../recall/raw-original.ts";
import { itemsOf } from "./message-facts.ts";
import type { GivenSession } from "./profile.ts";
import { nextPosition, type Standing } from "./standing.ts";

export interface ContextBody {
  readonly body: unknown;
  readonly format: string;
}

/**
 * After a compaction it is what that left, and what was said since. Before any it is what the first one found, which has
 * the frame (tools, model) as well as the messages; without one it is the messages alone. Secrets are masked in it.
 */
export async function contextBody(
  archive: Archive,
  { said, records, inForce }: Standing,
  format: string | undefined,
  given: GivenSession | undefined,
): Promise<ContextBody> {
  const last = inForce.at(-1);
  const first = last ?? records[0];
  const request = first ? first[last ? "after" : "before"] : given?.request;
  const base = request === undefined ? undefined : await requestText(archive, request);
  const from = base === undefined ? 0 : first ? nextPosition(first) : given!.messages;
  const later = said.filter(({ position }) => position >= from);
  const items = await itemsOf(
    archive,
    later.map(({ id }) => id),
  );
  const sources = items.flatMap((item) => (item?.content ? [item.content] : []));
  const read = readConversation(base ?? bodyOfSources(sources, format ?? ""), {
    format: format ?? "auto",
    isPart: true,
  });
  if (base === undefined || sources.length === 0)
    return { body: base ?? writeConversation(read), format: read.format };
  const more = readConversation(bodyOfSources(sources, read.format), { format: read.format, isPart: true });
  return {
    body: writeConversation(withMessages(read, [...read.messages, ...more.messages])),
    format: read.format,
  };
}

async function requestText(archive: Archive, request: string): Promise<string | undefined> {
  const original = await rawOriginal(archive, request);
  return original && original.forgotten === undefined && original.text !== "" ? original.text : undefined;
}
