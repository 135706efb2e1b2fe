/** Tells what calls did and how they ended: a line each, what matters of the answer below it. */
import type { ToolResultPart } from "../conversation/part.ts";
import { isChange } from "../ledger/action.ts";
import type { Deed } from "../ledger/deed.ts";
import { actsForGood } from "../ledger/lasting.ts";
import { DECLINED_WITH, PLAN_KEYS, QUESTION_TOOL, REPORT_TOOL } from "../reading/agents/program-tags.ts";
import { withoutProgramBlocks } from "../reading/program-blocks.ts";
import type { ReadCall, ReadStep } from "../reading/read-turns.ts";
import type { UsedLater } from "../reading/used-later.ts";
import { parseJson } from "../shapes/json.ts";
import { cellOf, recordLines } from "../shapes/told-records.ts";
import { unwrap } from "../shapes/unwrap.ts";
import { argumentsOf, deedEntry, oneLine, shortPath, unit, WORTH, writtenIn } from "./deed-parts.ts";
import { loadsInstructions } from "./dropped-instructions.ts";
import { printedUnits } from "./printed-units.ts";
import { splitUnits } from "./split-units.ts";
import type { Detail, Entry, Unit } from "./story.ts";
import { worthOf } from "./unit-worth.ts";

export interface DeedContext {
  /** The message's place, for what was taken up after it. */
  readonly at: number;
  readonly used: UsedLater;
  /** Whether a failure of this source was overcome later. */
  readonly isCured: (source: string, at: number) => boolean;
}

/** The entries of a step's calls. Changes of files are told once a turn, by tell-changes.ts. */
export function tellCalls(step: ReadStep, context: DeedContext): readonly Entry[] {
  return step.calls.flatMap((read) => tellCall(read, context));
}

function tellCall(read: ReadCall, context: DeedContext): readonly Entry[] {
  const { call, actions, result, deed } = read;
  const values = argumentsOf(call.arguments);
  const spoken = spokenIn(read, values);
  const kind = actions[0]?.kind ?? "other";
  if (deed?.declined && result) {
    const words = DECLINED_WITH.exec(result.text)?.[1]?.trim();
    const lead = `→ ${nameOf(read, values)}: the user declined it${words ? ", saying:" : ""}`;
    return [...spoken, quotedDeed(unit(lead, WORTH.failed), words ?? "")];
  }
  if (spoken.length > 0) return spoken;
  if (kind === "todo") return [];
  if (deed === undefined || result === undefined) {
    const note = read.isText ? "" : " (no answer yet)";
    return [deedEntry([lastingUnit(read, unit(`→ ${nameOf(read, values)}${note}`, WORTH.did))])];
  }
  // Of what was read or found, nothing tells how the call went.
  const isContent =
    (kind === "read" || kind === "list" || kind === "search") && actions[0]?.path !== undefined;
  if (!isContent && saysTimedOut(result.text)) {
    return [deedEntry([unit(`✗ ${nameOf(read, values)} → timed out`, WORTH.failed)])];
  }
  if (REPORT_TOOL.test(call.name)) return [tellReport(read, values, result)];
  if (actions[0]?.command !== undefined) {
    const told = tellCommand(deed, context);
    return loadsInstructions(call) ? [told] : [{ ...told, detail: answerDetail(read, result, "printed") }];
  }
  if (deed.failed) return [tellFailure(read, deed, result, context)];
  if (loadsInstructions(call)) {
    return [deedEntry([{ ...unit(`→ ${nameOf(read, values)}`, WORTH.looked), minor: "printed" }])];
  }
  const written = actions.some(isChange) ? writtenIn(values) : undefined;
  if (written !== undefined) {
    const detail: Detail = { text: written, kind: "written", of: call };
    return [
      { ...deedEntry([{ ...unit(`→ ${nameOf(read, values)}`, WORTH.wrote), minor: "printed" }]), detail },
    ];
  }
  if (isContent) {
    const detail = answerDetail(read, result, kind === "read" ? "read" : "printed");
    return [
      { ...deedEntry([{ ...unit(`→ ${nameOf(read, values)}`, WORTH.looked), minor: "printed" }]), detail },
    ];
  }
  return [tellAnswer(read, values, result, context)];
}

/** A notice of a few words: `Command timed out after 2m`, `{"error": "timeout"}`; but not `timeout = 30`. */
const TIMED_OUT = /^[\W_]*(?:\w+\W{1,4}){0,3}(?:timed out\b|timeout(?:error)?\b(?!["']?\s?[=:\d]))/i;

/** Clients give such a notice in place of an answer, or behind what was printed until then. */
function saysTimedOut(text: string): boolean {
  const [first] = text.slice(0, 400).trimStart().split("\n", 1);
  const last = text.slice(-400).trimEnd().split("\n").at(-1);
  return TIMED_OUT.test(first ?? "") || TIMED_OUT.test(last ?? "");
}

const NARRATION = { isClosing: false, isNewest: false, beforeCalls: false } as const;
/** A plan that the user declined gave way to another. */
const SUPERSEDED = 0.35;

/** What a call says to people or to itself in words: a plan, a question with its answer. */
function spokenIn({ call, result, deed }: ReadCall, values: Record<string, unknown>): readonly Entry[] {
  const declined = deed?.declined ?? false;
  const plan = PLAN_KEYS.map((key) => values[key]).find((value) => typeof value === "string");
  if (typeof plan === "string" && plan.length > 80) {
    const units = splitUnits(`Plan: ${plan}`).map((each) => ({
      ...each,
      worth: worthOf(each, NARRATION) * (declined ? SUPERSEDED : 1),
    }));
    return [{ voice: "agent", units }];
  }
  if (!QUESTION_TOOL.test(call.name) || !result) return [];
  const lead = unit(`→ ${oneLine(call.name, MOST_NAME_CHARS)}, answered:`, WORTH.asked);
  return [quotedDeed(lead, oneLine(result.text, 1_200))];
}

/** What somebody said to a call. It stands with the call: that a person said it is only the tool's word, and binds nobody. */
function quotedDeed(lead: Unit, words: string): Entry {
  const said = splitUnits(words).map((each) => ({
    ...each,
    under: each.under === undefined ? 0 : each.under + 1,
    worth: WORTH.answeredPerson,
  }));
  return deedEntry([lead, ...said]);
}

/** Tools are named by others, at any length. */
const MOST_NAME_CHARS = 120;

function tellReport({ call }: ReadCall, values: Record<string, unknown>, result: ToolResultPart): Entry {
  const about = String(values["description"] ?? values["prompt"] ?? values["message"] ?? "");
  const lead = unit(`→ ${oneLine(call.name, MOST_NAME_CHARS)}: ${oneLine(about, 160)}`, WORTH.asked);
  const said = splitUnits(result.text).map((each) => ({
    ...each,
    ...(each.under === undefined ? { under: 0 } : { under: each.under + 1 }),
    worth: 0.7 * worthOf(each, NARRATION),
  }));
  return deedEntry([lead, ...said.map((each) => ({ ...each, minor: "printed" as const }))]);
}

const CHECK =
  /\b(?:test|tests|spec|pytest|jest|vitest|rspec|build|lint|typecheck|tsc|check|clippy|make|deploy|migrate|publish|release)\b/i;

function tellCommand(deed: Deed, { isCured, at }: DeedContext): Entry {
  const command = oneLine(deed.commands.join(" && ") || deed.source, 200);
  const exit = deed.exitCode ? `exit ${deed.exitCode}` : "";
  const told = [exit, oneLine(deed.line, 240)].filter(Boolean).join(": ");
  if (deed.failed) {
    const worth = isCured(deed.source, at) ? WORTH.cured : WORTH.failed;
    return deedEntry([unit(`✗ $ ${command} → ${told || "failed"}`, worth)]);
  }
  if (deed.running) return deedEntry([unit(`$ ${command} → goes on in the background`, WORTH.ran)]);
  const line = `$ ${command} → ${told || "ok"}`;
  // What it did for good is told with the turn.
  if (deed.lasting.length > 0) return deedEntry([{ ...unit(line, WORTH.looked), minor: "printed" }]);
  return deedEntry([unit(line, CHECK.test(command) ? WORTH.checked : WORTH.ran)]);
}

function tellFailure(
  read: ReadCall,
  deed: Deed,
  result: ToolResultPart,
  { isCured, at }: DeedContext,
): Entry {
  const worth =
    deed.error === undefined ? WORTH.looked : isCured(deed.source, at) ? WORTH.cured : WORTH.failed;
  const name = nameOf(read, argumentsOf(read.call.arguments));
  const line = unit(`✗ ${name} → ${oneLine(deed.line || result.text, 300)}`, worth);
  return deedEntry([worth === WORTH.failed ? lastingUnit(read, line) : line]);
}

/** What a tool did to the world outside, or did not manage to. */
function lastingUnit({ call, actions }: ReadCall, line: Unit): Unit {
  const isOther = actions[0]?.kind === "other" && !looksUp(call.name);
  return isOther && actsForGood(call.name) ? { ...line, lasting: true } : line;
}

/** Tools that only look something up, by a word of their names; any other may have done what cannot be undone. */
const LOOKS =
  /(?:^|_)(?:get|list|search|find|read|fetch|query|lookup|look|think|calculate|check|view|grep|glob|ls|browse|open|scroll|show|describe|count|web|google|visit|inspect|wikipedia|extract|transcribe|convert|route|resolve|status|output)(?:_|$)/;

export function looksUp(name: string): boolean {
  return LOOKS.test(
    name
      .replace(/([a-z\d])([A-Z])/g, "$1_$2")
      .replace(/[^A-Za-z\d]+/g, "_")
      .toLowerCase(),
  );
}

/** A call of any other tool: its arguments, and of its answer the records and lines that were taken up later. */
function tellAnswer(
  read: ReadCall,
  values: Record<string, unknown>,
  result: ToolResultPart,
  { used, at }: DeedContext,
): Entry {
  const { call } = read;
  const looks = looksUp(call.name) || read.actions[0]?.kind === "web";
  const cells = looks || !actsForGood(call.name) ? values : withShortTexts(values);
  const given = oneLine(Object.keys(values).length > 0 ? cellOf(cells) : call.arguments, 300);
  const isBare = /^\s*(?:\{\s*\})?\s*$/.test(call.arguments);
  const lead = {
    ...unit(
      `→ ${oneLine(call.name, MOST_NAME_CHARS)}(${isBare ? "" : given})`,
      isBare ? WORTH.looked : looks ? WORTH.asked : WORTH.did,
    ),
    ...((looks || isBare) && { minor: "printed" as const }),
  };
  const isUsed = (value: string) => used(value, at);
  const text = plain(result);
  const records = recordLines(text, isUsed);
  const factor = looks ? 1 : 1.6;
  if (records) {
    let leading = 0;
    const units = records.map((record, index): Unit => {
      if (record.leads) leading = index + 1;
      const under = record.under ? leading : 0;
      const worth = record.leads ? 0 : (0.5 + Math.min(record.used, 4) * 0.8) * factor;
      return {
        ...unit(`  ${record.text}`, worth),
        minor: "printed",
        under,
        ...(record.leads && { leads: true }),
      };
    });
    return deedEntry([lastingUnit(read, withKeys(lead, text)), ...units]);
  }
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length <= 2 && text.length <= 300) {
    const answer = oneLine(text, 300) || "no output";
    return deedEntry([
      lastingUnit(read, { ...lead, text: `${lead.text} → ${answer}`, worth: lead.worth + 0.5 }),
    ]);
  }
  const units = printedUnits(lines, isUsed, factor);
  return {
    ...deedEntry([lastingUnit(read, withKeys(lead, text)), ...units]),
    detail: answerDetail(read, result, "printed"),
  };
}

/** Of a long text the start says which it is: what was done stands for every turn. */
function withShortTexts(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === "string" ? oneLine(value, 100) : value,
    ]),
  );
}

/** The keys by which what was made is known: `→ create_issue(title x) → ENT-140 https://…/ENT-140`. */
function withKeys(lead: Unit, answer: string): Unit {
  const value = lead.minor ? undefined : parseJson(answer);
  if (value === undefined || Array.isArray(value)) return lead;
  const keys = KEYS.map((key) => (value as Record<string, unknown>)[key]).filter(
    (each) => typeof each === "number" || (typeof each === "string" && each !== "" && each.length <= 120),
  );
  return keys.length === 0 ? lead : { ...lead, text: `${lead.text} → ${keys.slice(0, 2).join(" ")}` };
}

const KEYS = ["identifier", "number", "key", "url", "html_url", "id", "status"];

/** What a call answered, for where there is room for it. */
function answerDetail({ call }: ReadCall, result: ToolResultPart, kind: Detail["kind"]): Detail {
  return { text: plain(result), kind, of: result, toolName: call.name, toolArguments: call.arguments };
}

const plainBy = new WeakMap<ToolResultPart, string>();

/** What a tool said, without what clients put around it. */
function plain(result: ToolResultPart): string {
  let text = plainBy.get(result);
  if (text === undefined) {
    text = withoutWrapping(result);
    plainBy.set(result, text);
  }
  return text;
}

function withoutWrapping(result: ToolResultPart): string {
  const { text } = unwrap({ text: result.text, isError: result.isError, toolName: "", toolArguments: "" });
  // Trimmed before as well: what stands before a block at the end is then a slice of the text and no copy.
  return text.includes("<system-reminder>") ? withoutProgramBlocks(text.trimEnd()).trimEnd() : text;
}

function nameOf({ call, actions }: ReadCall, values: Record<string, unknown>): string {
  const { path, command } = actions[0] ?? {};
  const pattern = values["pattern"] ?? values["query"] ?? values["url"];
  const place = path === undefined || path === pattern ? "" : shortPath(path);
  const about = [typeof pattern === "string" ? oneLine(pattern, 80) : "", place, command ?? ""].filter(
    Boolean,
  );
  if (about.length > 0) return oneLine(`${call.name} ${about.join(" in ")}`, 200);
  return oneLine(`${call.name}(${Object.keys(values).length > 0 ? cellOf(values) : call.arguments})`, 200);
}
