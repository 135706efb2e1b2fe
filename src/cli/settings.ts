/** Settings: the command line's flags, checked once and turned into one frozen value. */
import { OptionsError } from "../errors/options-error.ts";
import type { TemplateName } from "../policy/template-names.ts";
import type { SummarizerAddress } from "../summarizer/summarizer-at.ts";
import { readTokens } from "../tokens/read-tokens.ts";
import { defaultArchive } from "./open-archive.ts";
import { readAddresses, type SummarizerFlags, summaryWish } from "./summarizer-flags.ts";

/** The flags as they were typed. */
export interface Flags extends SummarizerFlags {
  readonly format?: string;
  readonly model?: string;
  readonly window?: string;
  readonly reserve?: string;
  readonly target?: string;
  readonly preset?: string;
  readonly handoff?: string;
  readonly template?: string;
  readonly summaryTokens?: string;
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
  /** Who writes the summary, in the order they are asked. Keys are not here: they come from the environment alone. */
  readonly summarizer?: readonly SummarizerAddress[];
  readonly handoff?: "bare";
  readonly template?: TemplateName;
  readonly summaryTokens?: number;
  /** A file, `postgres://…` or `none`. */
  readonly archive: string;
}

/** Throws OptionsError, naming the flag and what it may be. */
export function resolveSettings(flags: Flags): Settings {
  return Object.freeze({
    format: flags.format ?? "auto",
    preset: flags.preset ?? "balanced",
    ...(flags.model !== undefined && { model: flags.model }),
    ...(flags.window !== undefined && { window: positiveInteger("--window", flags.window) }),
    ...(flags.reserve !== undefined && { reserve: wholeNumber("--reserve", flags.reserve) }),
    ...(flags.target !== undefined && { target: target(flags.target) }),
    ...((flags.summarizer ?? flags.summarizerModel) && { summarizer: readAddresses(flags) }),
    ...(flags.handoff !== undefined && { handoff: handoffForm(flags.handoff) }),
    ...summaryWish(flags),
    archive: archiveName(flags.archive ?? defaultArchive),
  });
}

export function archiveName(where: string): string {
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(where)?.[1]?.toLowerCase();
  if (where !== "" && (scheme === undefined || scheme === "postgres" || scheme === "postgresql"))
    return where;
  const given = scheme === undefined ? '""' : `${scheme}://…`;
  throw new OptionsError("--archive", `--archive ${given}: give a file, postgres://…, or none.`);
}

/** `postgres://me:secret@host/db` → `postgres://me:…@host/db` */
export function withoutPassword(archive: string): string {
  return archive
    .replace(/^(\w+:\/\/[^:@/]*):[^@]*@/, "$1:…@")
    .replace(/([?&][^=&]*password[^=&]*=)[^&]*/gi, "$1…");
}

function handoffForm(text: string): "bare" {
  if (text === "bare") return text;
  throw new OptionsError(
    "--handoff",
    `--handoff ${text}: give bare, or leave it out for the form of the preset.`,
  );
}

function target(text: string): number | `${number}%` {
  const percent = Number(/^(\d+(?:\.\d+)?)\s*%$/.exec(text.trim())?.[1]);
  if (percent > 0 && percent <= 100) return `${percent}%`;
  const tokens = readTokens(text);
  if (tokens) return tokens;
  throw new OptionsError(
    "--target",
    `--target ${text}: give a number of tokens (--target 8000, or 8k) or a share from 0% to 100% (--target 30%).`,
  );
}

export function positiveInteger(flag: string, text: string): number {
  const tokens = readTokens(text);
  if (tokens) return tokens;
  throw new OptionsError(
    flag,
    `${flag} ${text}: give a whole number of tokens above 0, such as ${flag} 128000 or 128k.`,
  );
}

export function wholeNumber(flag: string, text: string): number {
  const tokens = readTokens(text);
  if (tokens !== undefined) return tokens;
  throw new OptionsError(
    flag,
    `${flag} ${text}: give a whole number of tokens, 0 or more, such as ${flag} 4096 or 4k.`,
  );
}
