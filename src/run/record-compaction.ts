/** recordCompaction: all that an archive must hold before a compaction's result may be sent, as one write. */

import type { ArchiveWrite, CompactionRecord } from "../archive/archive.ts";
import { archivedMessages } from "../archive/archived-messages.ts";
import { archiveItem, itemId, MARKER } from "../archive/item-id.ts";
import type { Marks } from "../archive/marks.ts";
import { messagePlaces } from "../archive/message-places.ts";
import { requestItems } from "../archive/request-items.ts";
import { type Message, textOfMessage } from "../conversation/message.ts";
import type { Rewrite } from "../conversation/rewrite.ts";
import type { Edit, Plan } from "../plan/plan.ts";
import type { CompactionNotes } from "./compaction-notes.ts";

/** A request body and its messages, as they are read from it. */
export interface RequestSide {
  readonly body: unknown;
  readonly messages: readonly Message[];
}

export interface CompactionToRecord {
  readonly conversation: string;
  readonly at: number;
  readonly before: RequestSide;
  readonly after: RequestSide;
  readonly rewrite: Rewrite;
  readonly plan: Plan;
  readonly notes?: CompactionNotes;
  /** The state that is kept with it, as JSON text; it may name the compaction. */
  readonly stateWith: (compaction: string) => string;
  /** The hand-off that was written, where one was. */
  readonly handOff?: string | undefined;
  readonly marks: Marks;
  /** The conversation's last compaction. */
  readonly last?: CompactionRecord | undefined;
  /** Which of these ids the archive has already. */
  readonly known: ReadonlySet<string>;
}

export interface RecordedWrite extends ArchiveWrite {
  readonly compaction: CompactionRecord;
}

export function recordCompaction(what: CompactionToRecord): RecordedWrite {
  const { conversation, at, plan, marks, last } = what;
  const before = requestItems(what.before.body, what.before.messages, marks);
  const after = requestItems(what.after.body, what.after.messages, marks);
  const idsBefore = what.before.messages.map(marks.message);
  const idsAfter = what.after.messages.map(marks.message);
  const messagesBefore = messagePlaces(idsBefore, last);
  const planItem = archiveItem("plan", JSON.stringify({ ...slimPlan(plan), notes: what.notes }));
  const handOff = what.handOff === undefined ? undefined : archiveItem("hand-off", what.handOff);
  const messages = [...idsBefore, ...idsAfter].map((id) => marks.items.get(id)!);
  const originals = new Map([...messages, ...plan.originals].map((item) => [item.id, item]));
  const named = new Set([...namedIds(what.after), ...(plan.span ? [plan.span.id] : [])]);
  const markers = [...named].filter((id) => originals.has(id) || what.known.has(id));
  const fields = {
    conversation,
    at,
    preset: plan.preset,
    tokensBefore: plan.tokensBefore,
    tokensAfter: plan.tokensAfter,
    before: before.request.id,
    after: after.request.id,
    messagesBefore,
    messagesAfter: idsAfter.map((id, index) => ({
      position: messagesBefore[what.rewrite[index]?.from ?? -1]?.position ?? -1,
      id,
    })),
    plan: planItem.id,
    ...(handOff && { handOff: handOff.id }),
    markers,
  };
  const id = itemId("plan", JSON.stringify(fields));
  const stateItem = archiveItem("state", what.stateWith(id));
  const compaction: CompactionRecord = { id, ...fields, state: stateItem.id };
  const items = [
    ...originals.values(),
    ...[before, after].flatMap(({ request, glue }) => [...glue, request]),
    planItem,
    stateItem,
    ...(handOff ? [handOff] : []),
  ];
  return {
    conversation,
    at,
    items: [...new Map(items.map((item) => [item.id, item])).values()],
    messages: archivedMessages(what.before.messages, messagesBefore, { at, last }),
    compaction,
  };
}

/** Every id that is in a body, each once; some may be no ids of ours. */
export function namedIds({ messages }: RequestSide): readonly string[] {
  const text = messages.map(textOfMessage).join("\n");
  return [...new Set(text.match(MARKER))];
}

/** The plan without the messages' contents, which the requests hold, and without what is stored by itself. */
function slimPlan({ steps, originals: _, ...plan }: Plan): object {
  const slimEdit = (edit: Edit) =>
    edit.kind === "remove" ? edit : { ...edit, message: { role: edit.message.role } };
  return { ...plan, steps: steps.map((step) => ({ ...step, edits: step.edits.map(slimEdit) })) };
}
