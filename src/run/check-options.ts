/** checkOptions: refuses options that cannot be right when a compactor is made, and says what to do. */
import { OptionsError } from "../errors/options-error.ts";
import { UnknownWindowError } from "../errors/unknown-window-error.ts";
import { closestName } from "../policy/closest-name.ts";
import { formatNamed } from "../providers/detect.ts";
import { summarizersOf } from "../summarizer/summarizers-of.ts";
import { readLessons } from "../weights/lessons.ts";
import type { CompactorOptions } from "./options.ts";

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

/** Throws OptionsError. */
export function checkOptions(options: CompactorOptions): void {
  checkNames(options);
  const { window, reserve, adaptive, archive, format = "auto" } = options;
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
export function checkWindow({ window, model, target }: CompactorOptions): void {
  if (window === undefined && model === undefined && target === undefined)
    throw new UnknownWindowError(undefined);
}

/** What is misspelt would be left out without a word. */
function checkNames(options: CompactorOptions): void {
  const known = Object.keys(KNOWN);
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(KNOWN, name));
  if (unknown === undefined) return;
  const close = closestName(unknown, known);
  throw new OptionsError(
    unknown,
    `There is no option "${unknown}".${close ? ` Did you mean "${close}"?` : ""} The options are: ${known.join(", ")}.`,
  );
}
