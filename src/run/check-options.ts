/** checkOptions, checkCall: refuse options that cannot be right, of a compactor and of a call, and say what to do. */
import { OptionsError } from "../errors/options-error.ts";
import { UnknownWindowError } from "../errors/unknown-window-error.ts";
import { closestName } from "../policy/closest-name.ts";
import { formatNamed } from "../providers/detect.ts";
import { summarizersOf } from "../summarizer/summarizers-of.ts";
import { readLessons } from "../weights/lessons.ts";
import { targetTokensOf } from "./goal.ts";
import type { CompactOptions, CompactorOptions } from "./options.ts";

const KNOWN: Readonly<Record<keyof CompactorOptions, true>> = {
  preset: true,
  model: true,
  window: true,
  reserve: true,
  target: true,
  counter: true,
  summarizer: true,
  template: true,
  summaryTokens: true,
  summarizerTimeoutMs: true,
  summaries: true,
  archive: true,
  adaptive: true,
  format: true,
  onEvent: true,
  sessionLog: true,
  clock: true,
};

const KNOWN_IN_CALL: Readonly<Record<keyof CompactOptions, true>> = {
  target: true,
  tools: true,
  model: true,
  pins: true,
  conversationId: true,
  state: true,
  usage: true,
  summarize: true,
  summarizer: true,
  focus: true,
  requested: true,
  signal: true,
  force: true,
};

/** Throws OptionsError. */
export function checkOptions(options: CompactorOptions): void {
  checkNames(options, KNOWN);
  const { window, reserve, adaptive, archive, format = "auto" } = options;
  if (options.target !== undefined) targetTokensOf(options.target, 0);
  summarizersOf(options.summarizer);
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
  if (window === undefined && model === undefined && target === undefined)
    throw new UnknownWindowError(undefined);
}

/** Throws OptionsError. */
export function checkCall(call: CompactOptions): void {
  if (typeof call !== "object" || call === null)
    throw new OptionsError("options", `The options of a call are ${call}; give an object, or nothing.`);
  checkNames(call, KNOWN_IN_CALL);
  const { tools = [], pins = [], requested } = call;
  if (!Array.isArray(tools)) throw new OptionsError("tools", "tools must be a list of tool definitions.");
  if (!Array.isArray(pins)) throw new OptionsError("pins", "pins must be a list of message positions.");
  if (requested && (typeof requested.callId !== "string" || typeof requested.reason !== "string"))
    throw new OptionsError("requested", "requested must have a callId and a reason, each a text.");
  if (requested?.reason.trim() === "")
    throw new OptionsError("requested", "requested.reason is blank; say why this is a good moment.");
}

/** What is misspelt would be left out without a word. */
function checkNames(options: object, names: Readonly<Record<string, true>>): void {
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
