/** Profile: what is known of the model that a conversation is held with, and what Pith does for it. */
import type { Archive } from "../archive/archive.ts";
import type { PresetExpression } from "../policy/presets.ts";
import { resolvePolicy } from "../policy/resolve-policy.ts";
import { sizesFor, triggerSizes } from "../policy/trigger-sizes.ts";
import { defaultReserve } from "../tokens/fill.ts";
import { modelProfile } from "../tokens/models.ts";
import type { Problem } from "../transcripts/transcript.ts";
import { readPlan, type Standing } from "./standing.ts";
import type { ThresholdView } from "./views.ts";

/** A session that was given as a file: what of it no archive holds. */
export interface GivenSession {
  /** The name that it has in the archive. */
  readonly conversation: string;
  /** The item of the whole request, and how many messages it has. */
  readonly request: string;
  readonly messages: number;
  readonly format: string;
  readonly toolTokens: number;
  readonly model?: string | undefined;
  /** What the provider reported for the last request, and how many messages that had. */
  readonly usage?: { readonly position: number; readonly tokens: number } | undefined;
  readonly pins: readonly number[];
  readonly problems: readonly Problem[];
}

/** What the person who started the inspector said. */
export interface EngineSettings {
  readonly preset?: string | undefined;
  readonly model?: string | undefined;
  readonly window?: number | undefined;
  readonly reserve?: number | undefined;
}

export interface Profile {
  readonly preset: string;
  readonly format?: string | undefined;
  readonly model?: string | undefined;
  readonly window?: number | undefined;
  readonly reserve?: number | undefined;
  /** What the tool definitions take of every request, where that is known. */
  readonly toolTokens: number;
}

/** What was said first, then what the last compaction found, then what the file says. */
export async function readProfile(
  archive: Archive,
  { inForce, records }: Standing,
  settings: EngineSettings,
  given: GivenSession | undefined,
): Promise<Profile> {
  const last = inForce.at(-1) ?? records.at(-1);
  const plan = last && (await readPlan(archive, last));
  const notes = plan?.notes;
  const model = settings.model ?? notes?.model ?? given?.model;
  const window = settings.window ?? notes?.window ?? modelProfile(model).window;
  const noted =
    notes?.budget !== undefined && window !== undefined && notes.window === window
      ? window - notes.budget
      : undefined;
  const preset = settings.preset ?? plan?.preset ?? "balanced";
  return {
    preset,
    format: notes?.format ?? given?.format,
    model,
    window,
    toolTokens: notes?.toolTokens ?? given?.toolTokens ?? 0,
    reserve: settings.reserve ?? noted ?? (window === undefined ? undefined : usualReserve(preset, window)),
  };
}

/** A preset of another's own may be unknown here. */
function usualReserve(preset: string, window: number): number {
  try {
    return defaultReserve(window, resolvePolicy(preset as PresetExpression, window).base);
  } catch {
    return defaultReserve(window);
  }
}

export function budgetOf({ window, reserve = 0 }: Pick<Profile, "window" | "reserve">): number | undefined {
  return window === undefined ? undefined : window - reserve;
}

/** Sizes only where the window is known. Those that do not apply yet are told too: they will. */
export function thresholdViews(profile: Omit<Profile, "toolTokens">): readonly ThresholdView[] {
  const policy = resolvePolicy(profile.preset as PresetExpression, profile.window);
  const budget = budgetOf(profile);
  const sizes =
    budget === undefined
      ? []
      : triggerSizes(policy, sizesFor(policy, { window: profile.window!, budget }), 1).thresholds;
  return policy.thresholds.map(({ at, action, again }, order) => ({
    at,
    action,
    ...(again && { again }),
    ...(sizes[order] && { tokens: sizes[order].tokens }),
  }));
}
