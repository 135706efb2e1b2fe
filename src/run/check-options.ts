/** checkOptions, checkCall: refuse options that cannot be right, of a compactor and of a call, and say what to do. */
import { inspect } from "node:util";
import { isStrategy } from "../agent-control/compress-context.ts";
import { OptionsError } from "../errors/options-error.ts";
import { UnknownWindowError } from "../errors/unknown-window-error.ts";
import { closestName } from "../policy/closest-name.ts";
import { formatNamed } from "../providers/detect.ts";
import { summarizersOf } from "../summarizer/summarizers-of.ts";
import { readLessons } from "../weights/lessons.ts";
import { checkArchive } from "./check-archive.ts";
import { targetTokensOf } from "./goal.ts";
import type { CompactOptions, CompactorOptions } from "./options.ts";

/** What an option must be, where it is checked by its kind alone; otherwise who reads it checks it. */
type Kind = "any" | "text" | "function" | readonly unknown[];

const KNOWN: Readonly<Record<keyof CompactorOptions, Kind>> = {
  preset: "any",
  model: "text",
  window: "any",
  reserve: "any",
  target: "any",
  counter: "any",
  summarizer: "any",
  template: "any",
  handoff: ["bare"],
  summaryTokens: "any",
  summarizerTimeoutMs: "any",
  summaries: "any",
  archive: "any",
  adaptive: "any",
  format: "text",
  onEvent: "function",
  sessionLog: "function",
  clock: "function",
};

const KNOWN_IN_CALL: Readonly<Record<keyof CompactOptions, Kind>> = {
  target: "any",
  tools: "any",
  model: "text",
  pins: "any",
  conversationId: "text",
  state: "any",
  usage: "any",
  summarize: [true, false, "background"],
  summarizer: "any",
  focus: "text",
  requested: "any",
  signal: "any",
  force: ["manual", "overflow"],
};

/** Throws OptionsError. */
export function checkOptions(options: CompactorOptions): void {
  checkNames(options, KNOWN);
  checkKinds(options, KNOWN);
  const { window, reserve, adaptive, archive, format = "auto" } = options;
  if (options.target !== undefined) targetTokensOf(options.target, 0);
  summarizersOf(options.summarizer);
  checkArchive(archive);
  if (format !== "auto") formatNamed(format);
  if (typeof adaptive === "object") readLessons(adaptive);
  if (adaptive === true && !archive)
    throw new OptionsError(
      "adaptive",
      "adaptive learns from what is recalled: give an archive to recall from.",
    );
  for (const [option, value] of Object.entries({ window, reserve })) {
    const least = option === "window" ? 1 : 0;
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= least)) {
      throw new OptionsError(
        option,
        `${option} is ${value}; it must be a whole number of tokens, at least ${least}.`,
      );
    }
  }
  if (window !== undefined && reserve !== undefined && reserve >= window) {
    throw new OptionsError("reserve", `reserve is ${reserve}; it must be below the window of ${window}.`);
  }
}

/** Throws UnknownWindowError where no call could tell when it is due. */
export function checkWindow(options: CompactorOptions | undefined): void {
  const { window, model, target } = options ?? {};
  if (window === undefined && !model && target === undefined) throw new UnknownWindowError(undefined);
}

/** Throws OptionsError. */
export function checkCall(call: CompactOptions): void {
  if (typeof call !== "object" || call === null)
    throw new OptionsError("options", `The options of a call are ${call}; give an object, or nothing.`);
  checkNames(call, KNOWN_IN_CALL);
  checkKinds(call, KNOWN_IN_CALL);
  const { tools = [], pins = [], requested } = call;
  if (!Array.isArray(tools)) throw new OptionsError("tools", "tools must be a list of tool definitions.");
  if (!Array.isArray(pins)) throw new OptionsError("pins", "pins must be a list of message positions.");
  if (requested && (typeof requested.callId !== "string" || typeof requested.reason !== "string"))
    throw new OptionsError("requested", "requested must have a callId and a reason, each a text.");
  if (requested?.reason.trim() === "")
    throw new OptionsError("requested", "requested.reason is blank; say why this is a good moment.");
  if (requested && !isStrategy(requested.strategy ?? "summarize"))
    throw new OptionsError("requested", 'requested.strategy must be "summarize" or "archive".');
}

/** What is misspelt would be left out without a word. */
function checkNames(options: object, names: Readonly<Record<string, Kind>>): void {
  const known = Object.keys(names);
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) return;
  const close = closestName(unknown, known);
  const hint = Object.hasOwn(KNOWN, unknown)
    ? " of a call: give it to createCompactor."
    : close
      ? `. Did you mean "${close}"?`
      : ".";
  throw new OptionsError(
    unknown,
    `There is no option "${unknown}"${hint} The options are: ${known.join(", ")}.`,
  );
}

function checkKinds(options: object, kinds: Readonly<Record<string, Kind>>): void {
  for (const [option, value] of Object.entries(options)) {
    const kind = kinds[option]!;
    if (value === undefined || isOfKind(value, kind)) continue;
    throw new OptionsError(option, `${option} is ${inspect(value)}; it must be ${wordsFor(kind)}.`);
  }
}

function isOfKind(value: unknown, kind: Kind): boolean {
  if (kind === "any") return true;
  if (typeof kind !== "string") return kind.includes(value);
  return typeof value === (kind === "text" ? "string" : kind);
}

function wordsFor(kind: Kind): string {
  return typeof kind === "string" ? `a ${kind}` : kind.map((value) => JSON.stringify(value)).join(" or ");
}
