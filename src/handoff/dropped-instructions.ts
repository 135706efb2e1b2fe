/** Dropped instructions: skills and policies that were loaded in a span and go with it, and what loads each again (R39). */
import { type Message, proseOf } from "../conversation/message.ts";
import type { Part, ToolCallPart } from "../conversation/part.ts";
import {
  INSTRUCTION_FILE,
  INSTRUCTION_WORDS,
  LOADED_INSTRUCTIONS,
} from "../reading/agents/instruction-files.ts";
import { SKILL_TOOL } from "../reading/agents/skill-text.ts";
import { isChange } from "../reading/calls/action.ts";
import { actionsOf } from "../reading/calls/read-call.ts";
import { handoffIn } from "../reading/handoffs/separate.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { readSections } from "./sections.ts";

/**
 * A line for each, the newest last: `pdf: loaded by Skill {"skill":"pdf"}`. `stays` is the text of what stays in view:
 * what was loaded again there is not dropped.
 */
export function droppedInstructions(span: readonly Message[], stays: string): readonly string[] {
  let failed: ReadonlySet<string> | undefined;
  // Hardly any call loads instructions: which ones failed is asked for when one does.
  const hasFailed = (pairId: string): boolean => {
    failed ??= failedCalls(span);
    return failed.has(pairId);
  };
  const lines = new Map<string, string>();
  const addLoaded = ([how, line]: readonly [string, string]): void => {
    lines.delete(how);
    if (!stays.includes(how)) lines.set(how, line);
  };
  span.forEach((message) => {
    if (message.role !== "tool") loadedBy(message, hasFailed).forEach(addLoaded);
  });
  return newestOfEach([...lines.values()]).slice(-MOST_LINES);
}

/** The newest lines that a room holds, and the newest of all in any room. */
export function newestWithin(
  lines: readonly string[],
  room: number,
  counter: TokenCounter,
): readonly string[] {
  let left = room;
  const from = lines.findLastIndex((line) => {
    left -= counter.text(line) + 1;
    return left < 0;
  });
  return lines.slice(Math.min(from + 1, lines.length - 1));
}

/** What was loaded several times is named once, by what loaded it last; a call rather than the place that it read from. */
function newestOfEach(lines: readonly string[]): readonly string[] {
  const byName = new Map<string, string>();
  for (const line of lines) {
    // `superpowers:pdf` is what a plugin calls its skill `pdf`.
    const name = line.slice(0, line.indexOf(": loaded ")).split(":").at(-1)!;
    const known = byName.get(name);
    byName.delete(name);
    byName.set(name, known?.includes(": loaded by ") && line.includes(": loaded from ") ? known : line);
  }
  return [...byName.values()];
}

/** Whether a call loads instructions: they are named, and what loads them again; a part of them would not be them. */
export function loadsInstructions(call: ToolCallPart): boolean {
  return instructionsNamed(call) !== undefined;
}

/** The same of what an agent program says in the user's name. */
export function isInjectedInstructions(text: string): boolean {
  return LOADED_INSTRUCTIONS.test(text.slice(0, 500));
}

function failedCalls(span: readonly Message[]): ReadonlySet<string> {
  const failed = new Set<string>();
  const addFailed = (part: Part): void => {
    if (part.type === "tool-result" && part.isError) failed.add(part.pairId);
  };
  span.forEach(({ parts }) => {
    parts.forEach(addFailed);
  });
  return failed;
}

const MOST_LINES = 8;
const MOST_CHARS = 200;

/** What a message loads, by what would load it again. */
function loadedBy(
  message: Message,
  hasFailed: (pairId: string) => boolean,
): readonly (readonly [string, string])[] {
  const found = handoffIn(message);
  if (found) {
    return readSections(found.body).instructions.map((line) => [LOADED.exec(line)?.[1] ?? line, line]);
  }
  const place =
    message.role === "user"
      ? LOADED_INSTRUCTIONS.exec(proseOf(message).slice(0, 500))?.[1]?.trim()
      : undefined;
  if (place !== undefined) return [[place, `${lastPartOf(place)}: loaded from ${place}`]];
  if (message.role !== "assistant") return NONE;
  let loaded = NONE;
  for (let at = 0; at < message.parts.length; at++) {
    const part = message.parts[at]!;
    const name = part.type === "tool-call" ? instructionsNamed(part) : undefined;
    if (part.type !== "tool-call" || name === undefined || hasFailed(part.pairId)) continue;
    const how = `${part.name} ${part.arguments}`;
    const told = COMMAND.exec(part.arguments)?.[1] ?? how;
    if (how.length <= MOST_CHARS) loaded = [...loaded, [told, `${name}: loaded by ${told}`]];
  }
  return loaded;
}

const NONE: readonly (readonly [string, string])[] = [];

/** A command says by itself what loads them again. */
const COMMAND = /"(?:cmd|command)"\s{0,4}:\s{0,4}"([^"\\]{1,200})"/;

const LOADED = /: loaded (?:by|from) (.+)$/;

function lastPartOf(place: string): string {
  return /^AGENTS\.md/.exec(place)?.[0] ?? place.split(/[\\/]/).findLast((part) => part !== "") ?? place;
}

const SKILL_NAME = /"(?:skill|skill_name|name|command|id)"\s{0,4}:\s{0,4}"([^"\\]{1,100})"/;
/** A tool that changes such a file does not load it. */
const CHANGES = /edit|write|create|patch|replace|delete|remove|move|grep|search|glob|list/i;

function instructionsNamed(call: ToolCallPart): string | undefined {
  const { name, arguments: json, server } = call;
  if (server || json.length > MOST_CHARS) return undefined;
  if (SKILL_TOOL.test(name)) return SKILL_NAME.exec(json)?.[1];
  // Nearly every call names none, and looking for the words alone is much quicker.
  if (!INSTRUCTION_WORDS.test(json) || CHANGES.test(name)) return undefined;
  const named = INSTRUCTION_FILE.exec(json)?.[0];
  return named !== undefined && readsOnly(call) ? named : undefined;
}

/** A command that deletes, writes or counts such a file is nothing to load it by. */
function readsOnly(call: ToolCallPart): boolean {
  const actions = actionsOf(call);
  if (actions[0]?.command === undefined) return true;
  return actions.some(({ kind }) => kind === "read") && !actions.some(isChange);
}
