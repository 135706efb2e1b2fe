/** Change: what a person does to a conversation here, by the library's own calls: preview, apply, undo. */
import type { Archive } from "../archive/archive.ts";
import { archiveItem, itemId } from "../archive/item-id.ts";
import { writeTo } from "../archive/ready-write.ts";
import { type Compactor, doorCompactor } from "../compactor.ts";
import { findHandoff } from "../conversation/handoffs/prefixes.ts";
import { handoffIn } from "../conversation/handoffs/separate.ts";
import { type Message, withParts } from "../conversation/message.ts";
import type { Rewritten } from "../conversation/rewrite.ts";
import type { Edit, Plan } from "../plan/plan.ts";
import type { PresetExpression } from "../policy/presets.ts";
import { readConversation } from "../providers/detect.ts";
import { notesOf } from "../run/compaction-notes.ts";
import type { CompactOptions } from "../run/options.ts";
import { bodyOf, type Result } from "../run/result.ts";
import { alignMessages, type Compared, type ComparedMessage } from "./compared.ts";
import type { ContextBody } from "./context-body.ts";
import type { Profile } from "./profile.ts";
import { InspectRefusal } from "./refusal.ts";
import type { Standing } from "./standing.ts";
import type { PlanBody } from "./views.ts";

/** A conversation as it is now, ready to be planned for. */
export interface Subject {
  readonly archive: Archive;
  readonly standing: Standing;
  readonly profile: Profile;
  readonly context: ContextBody;
  readonly clock: () => number;
}

export interface Previewed {
  readonly compared: Compared;
  readonly result: Result;
  /** The messages that no archive has, by the ids that they are given here. */
  readonly drafts: ReadonlyMap<string, Message>;
}

/** Nothing is archived, and no model is asked. Throws CompactionError. */
export async function previewChange(subject: Subject, wish: PlanBody): Promise<Previewed> {
  const { standing, profile, context } = subject;
  const options = compactOptions(standing, wish);
  const plain = await compactorFor(subject, wish).preview(context.body, options);
  const result =
    wish.handOff === undefined
      ? plain
      : await tryOut(subject, wish, withHandOff(plain.plan, wish.handOff), options);
  const drafts = new Map<string, Message>();
  const { messages } = readConversation(context.body, { format: context.format });
  const before = messages.map((message, number) => ({ ...(standing.context[number] ?? nowhere), message }));
  // As it would be read back, which is how the archive will have it.
  const written = readConversation(bodyOf(result), { format: context.format }).messages;
  const rewrite = result.rewrite.map((each, order): Rewritten<ComparedMessage> => {
    const { from } = each;
    if (!each.written) return { from };
    const message = written[order]!;
    const id = itemId("message", JSON.stringify([message.role, message.parts]));
    drafts.set(id, message);
    return { from, written: { position: before[from]?.position ?? -1, id, message } };
  });
  return {
    result,
    drafts,
    compared: {
      pairs: alignMessages(before, rewrite),
      plan: result.plan,
      notes: notesOf(result.report, { toolTokens: 0, model: profile.model }),
      pins: new Set(options.pins),
      isDraft: true,
    },
  };
}

const nowhere = { position: -1, id: "" };

/** Without an archive nothing is written; the ids that the plan names are in it already. */
async function tryOut(
  subject: Subject,
  wish: PlanBody,
  plan: Plan,
  { pins }: CompactOptions,
): Promise<Result> {
  const { state } = subject.standing;
  const result = await compactorFor(subject, wish, "nowhere").apply(subject.context.body, plan, {
    ...(state && { state }),
    ...(pins && { pins }),
  });
  if (result.report.error) throw result.report.error;
  return result;
}

/** The id of the compaction that was made. Throws CompactionError; then nothing was changed. */
export async function applyChange(subject: Subject, wish: PlanBody): Promise<string> {
  const compactor = compactorFor(subject, wish);
  const options = compactOptions(subject.standing, wish);
  const { plan } = await compactor.preview(subject.context.body, options);
  if (wish.expects !== undefined && wish.expects !== plan.tokensBefore)
    throw new InspectRefusal(
      "PLAN_STALE",
      "The conversation has changed since the preview was made. Look at it again.",
    );
  const edited = wish.handOff === undefined ? plan : withHandOff(plan, wish.handOff);
  const { report } = await compactor.apply(subject.context.body, edited, {
    conversationId: subject.standing.conversation,
    ...(options.pins && { pins: options.pins }),
  });
  if (report.error) throw report.error;
  if (report.compaction === undefined)
    throw new InspectRefusal("BAD_REQUEST", `Nothing was changed: ${report.reason}`);
  return report.compaction;
}

/** Takes a compaction back and keeps the state that it found, so that the archive says so too. Throws UndoError. */
export async function undoChange(subject: Subject, compaction: string): Promise<readonly string[]> {
  const { archive, standing, context, clock } = subject;
  const compactor = compactorFor(subject, { conversation: standing.conversation });
  const { compactions, state } = await compactor.undo(compaction, context.body);
  const item = archiveItem("state", JSON.stringify({ ...state, conversationId: standing.conversation }));
  await writeTo(archive, { conversation: standing.conversation, at: clock(), items: [item] });
  return compactions;
}

function compactorFor(
  { archive, profile, context, clock }: Subject,
  { preset }: PlanBody,
  writes: "archive" | "nowhere" = "archive",
): Compactor {
  const { model, window, reserve } = profile;
  return doorCompactor({
    preset: (preset ?? profile.preset) as PresetExpression,
    ...(writes === "archive" && { archive }),
    clock,
    format: context.format,
    ...(model !== undefined && { model }),
    ...(window !== undefined && { window, ...(reserve !== undefined && { reserve }) }),
  });
}

function compactOptions(standing: Standing, { target, pins = [] }: PlanBody): CompactOptions {
  const numbers = new Map(standing.context.map(({ position }, number) => [position, number]));
  return {
    conversationId: standing.conversation,
    // Without a target the person still asks for it now, whatever the thresholds and pauses say.
    ...(target === undefined ? { force: "manual" } : { target: target as number | `${number}%` }),
    pins: pins.flatMap((position) => numbers.get(position) ?? []),
  };
}

/** The plan with another text in its hand-off. */
function withHandOff(plan: Plan, text: string): Plan {
  if (findHandoff(text)?.rest !== "")
    throw new InspectRefusal(
      "BAD_REQUEST",
      "A hand-off begins and ends with its own first and last line: leave these two as they are.",
    );
  let isFound = false;
  let { handedOff } = plan;
  const exchanged = (edit: Edit): Edit => {
    if (edit.kind === "remove" || !handoffIn(edit.message)) return edit;
    isFound = true;
    const parts = edit.message.parts.map((part) => {
      const found = part.type === "text" ? findHandoff(part.text) : undefined;
      return part.type === "text" && found
        ? { ...part, text: part.text.replace(found.framed, () => text) }
        : part;
    });
    const { framed } = handoffIn(edit.message)!;
    if (handedOff?.sources)
      handedOff = { ...handedOff, sources: sourcesAfter(framed, text, handedOff.sources) };
    return { ...edit, message: withParts(edit.message, parts) };
  };
  const steps = plan.steps.map((step) =>
    step.stage === "hand-off" ? { ...step, edits: step.edits.map(exchanged) } : step,
  );
  if (!isFound)
    throw new InspectRefusal("BAD_REQUEST", "This plan makes no hand-off, so there is none to change.");
  return { ...plan, steps, ...(handedOff && { handedOff }) };
}

/** A line that was there before is from where it was; one that a person wrote is from nowhere. */
function sourcesAfter(
  before: string,
  after: string,
  sources: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  const known = new Map(before.split("\n").map((line, at) => [line, sources[at] ?? []]));
  return after.split("\n").map((line) => known.get(line) ?? []);
}
