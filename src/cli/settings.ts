/** Settings: the command line's flags, checked once and turned into one frozen value. */
import { OptionsError } from "../errors/options-error.ts";
import type { SummarizerAddress } from "../summarizer/summarizer-at.ts";
import { defaultArchive } from "./open-archive.ts";

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
  /** Who writes the summary. The key is not here: it comes from the environment alone. */
  readonly summarizer: "none" | SummarizerAddress;
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
    summarizer: summarizer(flags),
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

export function summarizer({
  summarizer: url = "none",
  summarizerModel: model,
}: Pick<Flags, "summarizer" | "summarizerModel">): "none" | SummarizerAddress {
  if (url === "none") {
    if (model === undefined) return "none";
    throw new OptionsError(
      "--summarizer-model",
      `--summarizer-model ${model}: give the address of the model too, such as --summarizer http://localhost:11434/v1.`,
    );
  }
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address?.protocol !== "http:" && address?.protocol !== "https:") {
    throw new OptionsError("--summarizer", `--summarizer ${url}: give none, or an http(s) address.`);
  }
  if (address.username !== "" || address.password !== "") {
    throw new OptionsError(
      "--summarizer",
      "--summarizer: the address holds a name or a password. Keys come from the environment only (PITH_SUMMARIZER_KEY).",
    );
  }
  if (model === undefined) {
    throw new OptionsError(
      "--summarizer-model",
      `--summarizer ${url}: say which model to ask there, such as --summarizer-model gpt-4o-mini.`,
    );
  }
  const isAnthropic =
    /(?:^|\.)anthropic\.com$/.test(address.hostname) || address.pathname.endsWith("/messages");
  return { url, model, kind: isAnthropic ? "anthropic" : "openai" };
}

/** `postgres://me:secret@host/db` → `postgres://me:…@host/db` */
export function withoutPassword(archive: string): string {
  return archive
    .replace(/^(\w+:\/\/[^:@/]*):[^@]*@/, "$1:…@")
    .replace(/([?&][^=&]*password[^=&]*=)[^&]*/gi, "$1…");
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

export function positiveInteger(flag: string, text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && isCount(value)) return value;
  throw new OptionsError(
    flag,
    `${flag} ${text}: give a whole number of tokens above 0, such as ${flag} 128000.`,
  );
}

export function wholeNumber(flag: string, text: string): number {
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
