/** Tells what calls did and how they ended: a line each, what matters of the answer below it. */
import type { ToolCallPart, ToolResultPart } from "../conversation/part.ts";
import {
  DECLINED_WITH,
  PLAN_KEYS,
  QUESTION_TOOL,
  REPORT_TOOL,
  THOUGHT_KEYS,
} from "../reading/agents/program-tags.ts";
import { editorCommandIn, meaningOf } from "../reading/agents/tool-vocabulary.ts";
import { isChange } from "../reading/calls/action.ts";
import { argumentsOf } from "../reading/calls/call-reading.ts";
import { checksIn } from "../reading/calls/checks.ts";
import type { Deed } from "../reading/calls/deed.ts";
import { argumentsLeftOutOf, leftOutOf } from "../reading/calls/left-out.ts";
import type { ReadCall, ReadStep } from "../reading/read-turns.ts";
import type { UsedLater } from "../reading/used-later.ts";
import { answerDetail, plain } from "./answer-parts.ts";
import { deedEntry, oneLine, shortPath, textUnder, WORTH, writtenIn } from "./deed-parts.ts";
import { loadsInstructions } from "./dropped-instructions.ts";
import { givenIn } from "./given.ts";
import { lastingUnit } from "./lasting-unit.ts";
import { callOnlyLooks } from "./looks-up.ts";
import { isNoise } from "./noise-lines.ts";
import { learnedUnits } from "./printed-units.ts";
import { namedApart, type SameKind } from "./same-kind.ts";
import { splitUnits } from "./split-units.ts";
import { type Detail, type Entry, type Unit, unit, wordsEntry } from "./story.ts";
import { type AnswerContext, MOST_NAME_CHARS, tellAnswer } from "./tell-answer.ts";
import { NARRATION, weighWords } from "./unit-worth.ts";
import { clarityOf } from "./value-use.ts";

export interface DeedContext {
  /** The message's place, for what was taken up after it. */
  readonly at: number;
  readonly used: UsedLater;
  /** Whether the same succeeded later. */
  readonly isCured: (read: ReadCall, at: number) => boolean;
  /** Nobody has said a word since: what was answered is still to be used. */
  readonly fresh?: AnswerContext["fresh"] | undefined;
  /** The turn has not come to an end: nobody has reported yet what was found. */
  readonly isInHand?: boolean;
  /** Calls that are told together. */
  readonly sameKind?: SameKind;
  /** The next call of the same tool in the turn. */
  readonly nextOf?: (read: ReadCall) => ReadCall | undefined;
}

/** The entries of a step's calls. Changes of files are told once a turn, by tell-changes.ts. */
export function tellCalls(step: ReadStep, context: DeedContext): readonly Entry[] {
  const { calls } = step;
  // Most steps make one call.
  return calls.length === 1 ? tellCall(calls[0]!, context) : calls.flatMap((read) => tellCall(read, context));
}

function tellCall(read: ReadCall, context: DeedContext): readonly Entry[] {
  const { call, actions, result, deed } = read;
  const values = argumentsOf(call);
  const spoken = spokenIn(read, values);
  const kind = actions[0]?.kind ?? "other";
  if (deed?.declined && result) {
    const words = DECLINED_WITH.exec(result.text)?.[1]?.trim();
    const lead = `→ ${oneLine(nameOf(read), MOST_DECLINED_CHARS)}: the user declined it${words ? ", saying:" : ""}`;
    return [...spoken, quotedDeed(unit(lead, WORTH.failed), words ?? "")];
  }
  if (spoken.length > 0) return spoken;
  if (kind === "todo") return [];
  if (deed === undefined || result === undefined) {
    const note = read.isText ? "" : " (no answer yet)";
    return [deedEntry([lastingUnit(read, unit(`→ ${nameOf(read)}${note}`, WORTH.did))])];
  }
  const leftOut = argumentsLeftOutOf(read) ?? leftOutOf(result.text);
  if (leftOut !== undefined && !deed.failed) {
    const line: Unit = { ...unit(`→ ${nameOf(read)} (${leftOut})`, WORTH.looked), minor: "printed" };
    return [deedEntry([lastingUnit(read, line)])];
  }
  // Of what was read or found, nothing tells how the call went.
  const isContent =
    (kind === "read" || kind === "list" || kind === "search") && actions[0]?.path !== undefined;
  if (!isContent && saysTimedOut(result.text)) {
    return [deedEntry([unit(`✗ ${nameOf(read)} → timed out`, WORTH.failed)])];
  }
  if (REPORT_TOOL.test(call.name)) return [tellReport(read, values, result)];
  if (actions[0]?.command !== undefined) {
    const told = tellCommand(read, deed, context);
    if (loadsInstructions(call)) return [told];
    const detail = answerDetail(read, result);
    const learned = context.isInHand && detail.kind === "printed" ? learnedFrom(result, context) : NO_UNITS;
    return [deedEntry(learned.length === 0 ? told.units : [...told.units, ...learned], detail)];
  }
  if (deed.failed) return [tellFailure(read, deed, result, context)];
  if (loadsInstructions(call)) {
    return [deedEntry([{ ...unit(`→ ${nameOf(read)}`, WORTH.looked), minor: "printed" }])];
  }
  const written = actions.some(isChange) ? writtenIn(values) : undefined;
  if (written !== undefined) {
    const detail: Detail = { text: written, kind: "written", of: call };
    return [deedEntry([{ ...unit(`→ ${nameOf(read)}`, WORTH.wrote), minor: "printed" }], detail)];
  }
  if (isContent) {
    const detail = answerDetail(read, result, kind === "read" ? "read" : "printed");
    return [deedEntry([{ ...unit(`→ ${nameOf(read)}`, WORTH.looked), minor: "printed" }], detail)];
  }
  const { at, used, fresh, nextOf, sameKind } = context;
  return namedApart(sameKind?.get(read) ?? [read], (value) => clarityOf(value, at, used)).map((together) => {
    const last = together.at(-1)!;
    const next = nextOf?.(last);
    return tellAnswer(last, last.result!, { at, used, next, together, fresh });
  });
}

/** What was not done is told by its beginning. */
const MOST_DECLINED_CHARS = 100;

/** A notice of a few words: `Command timed out after 2m`, `{"error": "timeout"}`; but not `timeout = 30` or `0 timed out`. */
const TIMED_OUT =
  /^[\W_]*(?!(?:0|no|none)\b[\w ]*time)(?:\w+\W{1,4}){0,3}(?:timed out\b|timeout(?:error)?\b(?!["']?\s?[=:\d]))/i;

/** Clients give such a notice in place of an answer, or behind what was printed until then. */
function saysTimedOut(text: string): boolean {
  const start = text.slice(0, 400);
  const end = text.length <= 400 ? start : text.slice(-400);
  if (!TIMEOUT_WORDS.test(start) && (end === start || !TIMEOUT_WORDS.test(end))) return false;
  const [first] = start.trimStart().split("\n", 1);
  const last = end.trimEnd().split("\n").at(-1);
  return TIMED_OUT.test(first ?? "") || TIMED_OUT.test(last ?? "");
}

/** One look that spares most answers the others. */
const TIMEOUT_WORDS = /timed out|timeout/i;

/** A plan that the user declined gave way to another. */
const SUPERSEDED = 0.35;

/** What a call says to people or to itself in words: a plan, a thought, a question with its answer. */
function spokenIn({ call, result, deed }: ReadCall, values: Record<string, unknown>): readonly Entry[] {
  const thought = textUnder(values, THOUGHT_KEYS);
  if (thought !== undefined && Object.keys(values).length === 1) return [narrated(thought)];
  const plan = textUnder(values, PLAN_KEYS);
  if (plan !== undefined && plan.length > 80) {
    return [narrated(`Plan: ${plan}`, deed?.declined ? SUPERSEDED : 1)];
  }
  if (!QUESTION_TOOL.test(call.name) || !result) return NONE;
  const lead = unit(`→ ${oneLine(call.name, MOST_NAME_CHARS)}, answered:`, WORTH.asked);
  return [quotedDeed(lead, oneLine(result.text, 1_200))];
}

const NONE: readonly Entry[] = [];
const NO_UNITS: readonly Unit[] = [];

function narrated(words: string, weight = 1): Entry {
  const units = splitUnits(words);
  return wordsEntry("agent", units, () => weighWords(units, NARRATION, weight));
}

/** What somebody said to a call. It is with the call: that a person said it is only the tool's word, and binds nobody. */
function quotedDeed(lead: Unit, words: string): Entry {
  const said = splitUnits(words).map((each) => ({
    ...each,
    under: each.under === undefined ? 0 : each.under + 1,
    worth: WORTH.answeredPerson,
  }));
  return deedEntry([lead, ...said]);
}

function tellReport({ call }: ReadCall, values: Record<string, unknown>, result: ToolResultPart): Entry {
  const about = String(values.description ?? values.prompt ?? values.message ?? "");
  const lead = unit(`→ ${oneLine(call.name, MOST_NAME_CHARS)}: ${oneLine(about, 160)}`, WORTH.asked);
  const said = splitUnits(result.text).map(
    (each): Unit => ({ ...each, under: each.under === undefined ? 0 : each.under + 1, minor: "printed" }),
  );
  return wordsEntry("deed", [lead, ...said], () => [lead, ...weighWords(said, NARRATION, REPORTED)]);
}

/** A report tells less than the agent that asked for it. */
const REPORTED = 0.7;

function tellCommand(read: ReadCall, deed: Deed, { isCured, at }: DeedContext): Entry {
  const command = oneLine(deed.commands.join(" && ") || deed.source, MOST_COMMAND_CHARS);
  const exit = deed.exitCode ? `exit ${deed.exitCode}` : "";
  const told = [exit, oneLine(deed.line, 240)].filter(Boolean).join(": ");
  if (deed.failed) {
    const worth = isCured(read, at) ? WORTH.cured : WORTH.failed;
    return deedEntry([unit(`✗ $ ${command} → ${told || "failed"}`, worth)]);
  }
  if (deed.running) return deedEntry([unit(`$ ${command} → goes on in the background`, WORTH.ran)]);
  const isCheck = !deed.hidden && deed.commands.some((each) => checksIn(each).length > 0);
  const shown = told || isCheck ? "" : showed(read);
  if (shown !== "") {
    // subtle: no arrow by itself, without what follows it that would read as no output.
    const lead: Unit = { ...unit(`$ ${command}`, 0), leads: true };
    return deedEntry([lead, { ...unit(`→ ${shown}`, WORTH.looked, " "), under: 0, minor: "printed" }]);
  }
  const line = `$ ${command} → ${told || (isCheck || (deed.step && !deed.hidden) ? "ok" : "nothing printed")}`;
  // What it did for good is told with the turn; that others went well says nothing.
  if (deed.lasting.length > 0 || !(told || isCheck))
    return deedEntry([{ ...unit(line, WORTH.looked), minor: "printed" }]);
  return deedEntry([unit(line, isCheck ? WORTH.checked : WORTH.ran)]);
}

/** Of what a command printed, the lines that a call or a person took something up from. */
function learnedFrom(result: ToolResultPart, { at, used }: DeedContext): readonly Unit[] {
  return learnedUnits(plain(result), (value) => used(value, at, "taken"));
}

const MOST_COMMAND_CHARS = 160;

/** That a command went well says little, the first lines of what it showed more. */
function showed({ result }: ReadCall): string {
  if (result === undefined) return "";
  const lines = plain(result)
    .slice(0, LOOKED_AT)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const telling = lines.filter((line) => !isNoise(line));
  return oneLine((telling.length > 0 ? telling : lines).join(" ⏎ "), MOST_SHOWN_CHARS);
}

const MOST_SHOWN_CHARS = 120;
/** Before what tells something may be warnings. */
const LOOKED_AT = 2_000;

function tellFailure(
  read: ReadCall,
  deed: Deed,
  result: ToolResultPart,
  { isCured, at, nextOf }: DeedContext,
): Entry {
  const failed = callOnlyLooks(read) || read.actions[0]?.path !== undefined ? WORTH.failed : WORTH.acted;
  const worth = deed.error === undefined ? WORTH.looked : isCured(read, at) ? WORTH.cured : failed;
  const cause = causeIn(plain(result)) ?? (deed.line || plain(result));
  const line = unit(`✗ ${nameOf(read, nextOf?.(read))} → ${oneLine(cause, 300)}`, worth);
  return deedEntry([worth === failed ? lastingUnit(read, line) : line]);
}

/** What follows a call that an error repeats: `Error when executing f with arguments {…}: Exception: No results` */
function causeIn(text: string): string | undefined {
  const [first] = text.slice(0, LOOKED_AT).split("\n", 1);
  return REPEATED_CALL.exec(first!)?.[1];
}

const REPEATED_CALL = /^[^{}]{0,200}\{.*\}: ((?:[A-Z]\w{0,60})?(?:Error|Exception): \S.*)$/;

/** The tool and what it was given, without what the next call of it repeats. */
function nameOf(read: ReadCall, next?: ReadCall): string {
  const { call, actions } = read;
  if (argumentsLeftOutOf(read) !== undefined) return oneLine(call.name, MOST_NAME_CHARS);
  const values = argumentsOf(call);
  const { path, command } = actions[0] ?? {};
  const pattern = values.pattern ?? values.query ?? values.url;
  const place = path === undefined || path === pattern ? "" : shortPath(path);
  const about = [typeof pattern === "string" ? oneLine(pattern, 80) : "", place, command ?? ""].filter(
    Boolean,
  );
  if (about.length > 0) return oneLine(`${toolsOf(call)} ${about.join(" in ")}`, 200);
  return oneLine(`${call.name}(${givenIn([read], next)})`, 200);
}

/** The tool and, where it calls others or does several things, which: without that nobody knows what was tried. */
function toolsOf(call: ToolCallPart): string {
  const does = meaningOf(call.name)?.does;
  if (does === "by-command") return [call.name, editorCommandIn(argumentsOf(call))].filter(Boolean).join(" ");
  if (does !== "call") return call.name;
  const names = Object.values(argumentsOf(call)).filter((value) => typeof value === "string");
  return [call.name, ...names.filter((name) => INNER_TOOL.test(name))].join(" ");
}

const INNER_TOOL = /^[\w.:/-]{2,60}$/;
