/** Write-ahead: a compaction's originals are durable before anybody gets its result. */

import type { Archive, CompactionRecord } from "../archive/archive.ts";
import { compactionInPast } from "../archive/branch.ts";
import { archiveItem, MARKER } from "../archive/item-id.ts";
import type { Marks } from "../archive/marks.ts";
import { writeTo } from "../archive/ready-write.ts";
import { tenantOfName } from "../archive/tenant.ts";
import { handoffIn, separateHandoffs } from "../conversation/handoffs/separate.ts";
import type { Message } from "../conversation/message.ts";
import { opened } from "../engine/open.ts";
import { readConversation as readings } from "../engine/reading.ts";
import { quotable } from "../engine/write.ts";
import { ArchiveError } from "../errors/archive-error.ts";
import { CompactionError } from "../errors/compaction-error.ts";
import { reasonOf } from "../errors/reason-of.ts";
import { readConversation } from "../providers/detect.ts";
import type { CompactionState } from "../state/compaction-state.ts";
import { readState } from "../state/read-state.ts";
import { notesOf } from "./compaction-notes.ts";
import type { Occasion } from "./occasion.ts";
import { namedIds, recordCompaction } from "./record-compaction.ts";
import { bodyOf, type Result } from "./result.ts";

/**
 * Writes what the result leaves out, and the result itself, under the conversation's name. Gives the result with the
 * compaction's id in its report and state. Throws ArchiveError; then nothing was written, and the original must stay.
 */
export async function writeAhead(result: Result, occasion: Occasion, archive: Archive): Promise<Result> {
  const { conversation: before, marks, now } = occasion;
  if (!marks || !result.report.compacted) return result;
  const after = {
    body: bodyOf(result),
    messages: readConversation(bodyOf(result), { format: before.format }).messages,
  };
  const originals = new Set(result.plan.originals.map(({ id }) => id));
  const foreign = namedIds(after).filter((id) => !originals.has(id));
  const [last, known] = await reach(archive, () =>
    Promise.all([lastCompaction(archive, occasion), idsIn(archive, foreign, occasion.name)]),
  );
  refuseInvented(foreign, known, before.messages);
  const name = occasion.name ?? last?.conversation ?? contentName(before.messages, marks);
  const stateAfter = (lastCompaction: string): CompactionState => ({
    ...result.state,
    conversationId: name,
    lastCompaction,
  });
  const write = recordCompaction({
    conversation: name,
    at: now,
    before: { body: result.original.body, messages: before.messages },
    after,
    rewrite: result.rewrite,
    plan: result.plan,
    notes: notesOf(result.report, {
      toolTokens: occasion.counter.tools(before.tools),
      model: occasion.model,
      budget: occasion.fill?.budget,
      reportedTokens: occasion.reported,
    }),
    stateWith: (id) => JSON.stringify(stateAfter(id)),
    handOff: handOffOf(result, before.messages),
    marks,
    last,
    known,
  });
  await reach(archive, () => writeTo(archive, write));
  const { id } = write.compaction;
  const maskedSecrets = write.items.reduce((sum, { masked }) => sum + masked.length, 0);
  const report = { ...result.report, compaction: id, maskedSecrets };
  return { ...result, plan: { ...result.plan, originals: [] }, report, state: stateAfter(id) };
}

/** The state that the archive keeps for a conversation; undefined when it keeps none. */
export async function keptState(
  archive: Archive,
  conversation: string,
): Promise<CompactionState | undefined> {
  const checkpoint = await reach(archive, async () => archive.checkpoint?.(conversation));
  return checkpoint && readState(JSON.parse(checkpoint.state));
}

/**
 * The occasion with what its branch left: a state of another branch, which was taken back, would have the next hand-off tell
 * what was never said here.
 */
export async function inItsBranch(archive: Archive, occasion: Occasion): Promise<Occasion> {
  const { state, conversation, marks } = occasion;
  const [last, name] = [state.lastCompaction, occasion.name ?? state.conversationId];
  if (!marks || last === undefined || name === undefined || !archive.compactions) return occasion;
  const { messages } = conversation;
  const found = await reach(archive, () =>
    compactionInPast(archive, { conversation: name, messages, last, marks }),
  );
  if (found?.id === last) return occasion;
  const left = found && (await reach(archive, () => archive.get(found.state)))?.content;
  const { ledger, lastCompaction, handoff } = left ? readState(JSON.parse(left)) : {};
  const { ledger: _, lastCompaction: __, handoff: ___, ...rest } = state;
  return {
    ...occasion,
    state: {
      ...rest,
      ...(ledger && { ledger }),
      ...(lastCompaction !== undefined && { lastCompaction }),
      ...(handoff !== undefined && { handoff }),
    },
  };
}

/** Keeps a state that changed without a compaction: pauses and strikes must outlive the call. */
export async function keepState(
  archive: Archive,
  { name, state: before, now }: Occasion,
  after: CompactionState,
): Promise<void> {
  const state = JSON.stringify({ ...after, conversationId: name });
  if (name === undefined || state === JSON.stringify({ ...before, conversationId: name })) return;
  await reach(archive, () =>
    writeTo(archive, { conversation: name, at: now, items: [archiveItem("state", state)] }),
  );
}

/** Whatever an archive throws, what comes out says which archive it was and that nothing is lost. */
export async function reach<Value>(archive: Archive, ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof ArchiveError) throw cause;
    const reason = reasonOf(cause);
    throw new ArchiveError(
      archive.name,
      `The archive ${archive.name} failed: ${reason}. The original stays.`,
      {
        cause,
      },
    );
  }
}

async function lastCompaction(
  archive: Archive,
  { state, name }: Occasion,
): Promise<CompactionRecord | undefined> {
  if (state.lastCompaction === undefined) return undefined;
  const last = await archive.compaction?.(state.lastCompaction);
  return name === undefined || last?.conversation === name ? last : undefined;
}

/** A tenant that quotes another one's id does not get by it what it stands for. */
export async function idsIn(
  archive: Archive,
  ids: readonly string[],
  name: string | undefined,
): Promise<ReadonlySet<string>> {
  const tenant = name === undefined ? undefined : tenantOfName(name);
  if (tenant !== undefined && archive.held) return archive.held({ tenant }, ids);
  const found = archive.getMany ? await archive.getMany(ids) : await Promise.all(ids.map(archive.get));
  return new Set(found.flatMap((item) => (item ? [item.id] : [])));
}

/** An id that the archive does not have may be in the result only where it was in the original: then it is a quote. */
function refuseInvented(
  foreign: readonly string[],
  known: ReadonlySet<string>,
  messages: readonly Message[],
): void {
  const unknown = foreign.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  const quoted = new Set([...namedIds({ body: undefined, messages }), ...readIds(messages)]);
  const invented = unknown.filter((id) => !quoted.has(id));
  if (invented.length === 0) return;
  throw new CompactionError(
    "COMPACTION_FAILED",
    `The result names ${invented.join(", ")}, which the archive does not have: nobody could expand it. The original stays.`,
  );
}

/** Ids that are printed in pieces, between tags or in escapes, and are whole as a hand-off tells them. */
function readIds(messages: readonly Message[]): readonly string[] {
  return readings(messages)
    .flatMap(({ words, calls }) => [
      ...words.map(({ text }) => text),
      ...calls.flatMap(({ subject, asked, output = "" }) => [subject, opened(asked), opened(output)]),
    ])
    .flatMap((text) => quotable(text).match(MARKER) ?? []);
}

/** A conversation without a name is known by what it says. */
function contentName(messages: readonly Message[], marks: Marks): string {
  return marks.span(messages).replace("pith:", "c-");
}

/** What was there before was not written now, whatever it looks like. */
function handOffOf({ rewrite }: Result, messages: readonly Message[]): string | undefined {
  const before = new Set(
    messages.flatMap((message) => separateHandoffs(message).handoffs).map(({ framed }) => framed),
  );
  const written = rewrite.flatMap(({ written }) => (written && handoffIn(written)?.framed) ?? []);
  return written.find((framed) => !before.has(framed));
}
