/** Dropped instructions: skills and policies that were loaded in a span and go with it, and what loads each again (R39). */

import { handoffIn, holdsHandoff } from "../conversation/handoffs/separate.ts";
import { type Message, proseOf } from "../conversation/message.ts";
import type { ToolCallPart, ToolResultPart } from "../conversation/part.ts";
import { SKILL_TOOL } from "../conversation/skill-text.ts";
import {
  INSTRUCTION_FILE,
  INSTRUCTION_WORDS,
  LOADED_INSTRUCTIONS,
} from "../reading/agents/instruction-files.ts";
import { FAILURE, TAGGED } from "../reading/agents/notices.ts";
import { isChange } from "../reading/calls/action.ts";
import { actionsOf } from "../reading/calls/read-call.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { readSections } from "./sections.ts";

/**
 * A line for each, the newest last: `pdf: loaded by Skill {"skill":"pdf"}`. `stays` is the text of what stays in view:
 * what was loaded again there is not dropped.
 */
export function droppedInstructions(span: readonly Message[], stays: string): readonly string[] {
  const failed = new Set<string>();
  // One look at every message: hardly any loads something, and what does is read by itself.
  const mayLoad = (message: Message): boolean => {
    let hasNamed = false;
    for (let at = 0; at < message.parts.length; at++) {
      const part = message.parts[at]!;
      if (part.type === "tool-call") hasNamed ||= mayNameInstructions(part);
      else if (part.type === "tool-result" && isFailure(part)) failed.add(part.pairId);
    }
    if (message.role !== "assistant") return message.role !== "tool";
    return hasNamed || holdsHandoff(message);
  };
  const lines = new Map<string, string>();
  for (const message of span.filter(mayLoad)) {
    for (const [how, line] of loadedBy(message, failed)) {
      lines.delete(how);
      if (!stays.includes(how)) lines.set(how, line);
    }
  }
  return newestOfEach([...lines.values()]).slice(-MOST_LINES);
}

/** Not every wire says so: then the answer opens like one. */
function isFailure({ isError, text }: ToolResultPart): boolean {
  if (isError) return true;
  return text.length <= MOST_ERROR_CHARS && (TAGGED.test(text) || FAILURE.test(text));
}

/** What is longer is an instruction. */
const MOST_ERROR_CHARS = 600;

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

const MOST_LINES = 8;
const MOST_CHARS = 200;

/** What a message loads, by what would load it again. */
function loadedBy(message: Message, failed: ReadonlySet<string>): readonly (readonly [string, string])[] {
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
    if (part.type !== "tool-call" || name === undefined || failed.has(part.pairId)) continue;
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

/** Nearly every call names none, and looking for the words alone is much quicker. */
function mayNameInstructions({ name, arguments: json, server }: ToolCallPart): boolean {
  return !server && json.length <= MOST_CHARS && (INSTRUCTION_WORDS.test(json) || SKILL_TOOL.test(name));
}

function instructionsNamed(call: ToolCallPart): string | undefined {
  if (!mayNameInstructions(call)) return undefined;
  const { name, arguments: json } = call;
  if (SKILL_TOOL.test(name)) return SKILL_NAME.exec(json)?.[1];
  if (CHANGES.test(name)) return undefined;
  const named = INSTRUCTION_FILE.exec(json)?.[0];
  return named !== undefined && readsOnly(call) ? named : undefined;
}

/** A command that deletes, writes or counts such a file is nothing to load it by. */
function readsOnly(call: ToolCallPart): boolean {
  const actions = actionsOf(call);
  if (actions[0]?.command === undefined) return true;
  return actions.some(({ kind }) => kind === "read") && !actions.some(isChange);
}
