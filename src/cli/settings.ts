/** Settings: the command line's flags, checked once and turned into one frozen value. */
import { OptionsError } from "../errors/options-error.ts";

/** The flags as they were typed. */
export interface Flags {
  readonly format?: string;
  readonly model?: string;
  readonly window?: string;
  readonly reserve?: string;
  readonly target?: string;
  readonly preset?: string;
  readonly summarizer?: string;
  readonly summarizerModel?: string;
  readonly archive?: string;
  readonly sessionLog?: string;
  readonly dryRun?: boolean;
  readonly report?: string;
  readonly output?: string;
  readonly jsonl?: boolean;
  readonly json?: boolean;
}

/** What the flags come to. */
export interface Settings {
  readonly format: string;
  readonly preset: string;
  readonly model?: string;
  readonly window?: number;
  readonly reserve?: number;
  readonly target?: number | `${number}%`;
  readonly summarizer: "none";
  readonly archive: "none";
}

/** Throws OptionsError, naming the flag and what it may be. */
export function resolveSettings(flags: Flags): Settings {
  refuseWhatIsMissing(flags);
  return Object.freeze({
    format: flags.format ?? "auto",
    preset: flags.preset ?? "balanced",
    ...(flags.model !== undefined && { model: flags.model }),
    ...(flags.window !== undefined && { window: positiveInteger("--window", flags.window) }),
    ...(flags.reserve !== undefined && { reserve: wholeNumber("--reserve", flags.reserve) }),
    ...(flags.target !== undefined && { target: target(flags.target) }),
    summarizer: "none",
    archive: "none",
  });
}

function refuseWhatIsMissing(flags: Flags): void {
  if (flags.summarizer !== undefined && flags.summarizer !== "none") {
    throw new OptionsError(
      "--summarizer",
      `--summarizer ${flags.summarizer}: summaries by a model are not available in this version. Use --summarizer none.`,
    );
  }
  if (flags.summarizerModel !== undefined) {
    throw new OptionsError(
      "--summarizer-model",
      "--summarizer-model: summaries by a model are not available in this version. Leave it out.",
    );
  }
  if (flags.archive !== undefined && flags.archive !== "none") {
    throw new OptionsError(
      "--archive",
      `--archive ${flags.archive}: an archive is not available in this version. Use --archive none.`,
    );
  }
}

function target(text: string): number | `${number}%` {
  if (/^\d+(\.\d+)?%$/.test(text)) {
    const percent = Number(text.slice(0, -1));
    if (percent > 0 && percent <= 100) return `${percent}%`;
  } else if (/^\d+$/.test(text) && isCount(Number(text))) {
    return Number(text);
  }
  throw new OptionsError(
    "--target",
    `--target ${text}: give a number of tokens (--target 8000) or a share from 0% to 100% (--target 30%).`,
  );
}

function positiveInteger(flag: string, text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && isCount(value)) return value;
  throw new OptionsError(
    flag,
    `${flag} ${text}: give a whole number of tokens above 0, such as ${flag} 128000.`,
  );
}

function wholeNumber(flag: string, text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new OptionsError(
    flag,
    `${flag} ${text}: give a whole number of tokens, 0 or more, such as ${flag} 4096.`,
  );
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
