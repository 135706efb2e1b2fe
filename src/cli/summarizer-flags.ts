/** The flags that say who writes summaries: each may be given several times, in the order they are asked (F49). */
import { Option } from "commander";
import { OptionsError } from "../errors/options-error.ts";
import type { TemplateName } from "../policy/template-names.ts";
import { kindAt, type SummarizerAddress } from "../summarizer/summarizer-at.ts";
import { templates } from "../summarizer/templates.ts";
import { readTokens } from "../tokens/read-tokens.ts";

export interface SummaryFlags {
  readonly template?: string | undefined;
  readonly summaryTokens?: string | undefined;
}

export interface SummarizerFlags {
  readonly summarizer?: readonly string[] | undefined;
  readonly summarizerModel?: readonly string[] | undefined;
}

/** Which prompt, and how long the summary should be. Throws OptionsError. */
export function summaryWish({ template, summaryTokens }: SummaryFlags): {
  readonly template?: TemplateName;
  readonly summaryTokens?: number;
} {
  if (template !== undefined && !Object.hasOwn(templates, template)) {
    const names = Object.keys(templates).join(", ");
    throw new OptionsError("--template", `--template ${template}: the templates are ${names}.`);
  }
  const tokens = summaryTokens === undefined ? undefined : readTokens(summaryTokens);
  if (summaryTokens !== undefined && !tokens) {
    throw new OptionsError(
      "--summary-tokens",
      `--summary-tokens ${summaryTokens}: give a whole number of tokens above 0, such as --summary-tokens 500.`,
    );
  }
  return {
    ...(template !== undefined && { template: template as TemplateName }),
    ...(tokens && { summaryTokens: tokens }),
  };
}

/** Each time that the flag is given adds one. */
export function repeatable(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string, before: readonly string[] = []) => [
    ...before,
    value,
  ]);
}

/** The agent's own model, or an address without its key. Empty for none. Throws OptionsError. */
export function readSummarizers({
  summarizer: given = [],
  summarizerModel = [],
}: SummarizerFlags): readonly ("same" | SummarizerAddress)[] {
  if (given.includes("none") && given.length > 1)
    throw new OptionsError("--summarizer", "--summarizer none: it cannot be combined with others.");
  const models = [...summarizerModel];
  const summarizers = given
    .filter((each) => each !== "none")
    .map((each) => (each === "same" ? each : addressOf(each, models.shift())));
  if (models.length === 0) return summarizers;
  throw new OptionsError(
    "--summarizer-model",
    `--summarizer-model ${models[0]}: give the address of the model too, such as --summarizer http://localhost:11434/v1.`,
  );
}

/** The same where only addresses can be asked: no request of an agent passes here. */
export function readAddresses(flags: SummarizerFlags): readonly SummarizerAddress[] {
  return readSummarizers(flags).map((each) => {
    if (each !== "same") return each;
    throw new OptionsError(
      "--summarizer",
      "--summarizer same: this command has no agent whose model it could ask. It works in pith gateway and in the adapters; give an address.",
    );
  });
}

/**
 * Keys come from the environment alone: those in PITH_SUMMARIZER_KEY in the order of the addresses, separated by spaces,
 * then that of the API.
 */
export function withApiKeys<Summarizer extends "same" | SummarizerAddress>(
  summarizers: readonly Summarizer[],
): readonly Summarizer[] {
  const keys = (process.env.PITH_SUMMARIZER_KEY ?? "").split(/\s+/).filter(Boolean);
  return summarizers.map((each) => {
    if (each === "same") return each;
    const own = each.kind === "anthropic" ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY";
    return { ...(each as SummarizerAddress), key: keys.shift() ?? process.env[own] } as Summarizer;
  });
}

function addressOf(url: string, model: string | undefined): SummarizerAddress {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address?.protocol !== "http:" && address?.protocol !== "https:") {
    throw new OptionsError(
      "--summarizer",
      `--summarizer ${url}: give none, or an http(s) address; pith gateway also takes same.`,
    );
  }
  if (address.username !== "" || address.password !== "") {
    throw new OptionsError(
      "--summarizer",
      "--summarizer: the address contains a name or a password. Keys come from the environment only (PITH_SUMMARIZER_KEY).",
    );
  }
  if (model === undefined) {
    throw new OptionsError(
      "--summarizer-model",
      `--summarizer ${url}: say which model to ask there, such as --summarizer-model gpt-4o-mini.`,
    );
  }
  return { url, model, kind: kindAt(url) };
}
