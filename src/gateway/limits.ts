/** Limits: how many tokens a request may have, by what it says itself and by what the gateway was told. */
import type { JsonSource } from "../json/source.ts";
import { defaultReserve } from "../tokens/fill.ts";
import { policyOf } from "./policies.ts";
import { type GivenWindows, windowOf } from "./windows.ts";

export interface Limits {
  readonly window: number;
  readonly reserve: number;
  /** Tokens that the request may have. */
  readonly budget: number;
}

export interface GivenLimits extends GivenWindows {
  readonly reserve?: number | undefined;
  readonly preset: string;
}

/**
 * The answer must have the room that the request asks for it, up to a quarter of the window. Undefined where nobody
 * knows the window.
 */
export function limitsOf(source: JsonSource, given: GivenLimits): Limits | undefined {
  const { reserve: wanted, preset } = given;
  const { rest = {} } = source;
  const window = windowOf(modelIn(source), given);
  if (window === undefined) return undefined;
  const asked = [rest.max_tokens, rest.max_completion_tokens, rest.max_output_tokens].find(
    (value) => Number.isSafeInteger(value) && (value as number) > 0,
  );
  const least = defaultReserve(window, policyOf(preset, window).base);
  const most = Math.floor(window / 4);
  const reserve = wanted ?? Math.max(least, Math.min(most, Number(asked ?? 0)));
  return { window, reserve, budget: window - reserve };
}

/** The same from a body that is not read; the first that is named so, which nearly always is it. */
export function modelNamedIn(text: string): string | undefined {
  return /"model"\s*:\s*"([^"\\]{1,100})"/.exec(text)?.[1];
}

/** The same where it is the first thing that a body says, as it mostly is: then nothing else can be meant. */
export function modelNamedFirst(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 200)).toString("latin1");
  return /^\s*\{\s*"model"\s*:\s*"([^"\\]{1,100})"/.exec(start)?.[1];
}

export function modelIn({ rest }: JsonSource): string | undefined {
  return typeof rest?.model === "string" ? rest.model : undefined;
}
