/** Extracts the training rows of a conversation's past: each specific with its features. */
import type { Message } from "../../src/conversation/message.ts";
import { rankedMessages } from "../../src/handoff/digest.ts";
import { gatherSpecifics, NUMBERS } from "../../src/handoff/gather-specifics.ts";
import { FEATURES, lastPlace, writeFeatures } from "../../src/handoff/specific-features.ts";
import type { TokenCounter } from "../../src/tokens/token-counter.ts";

export interface Extracted {
  /** In lower case, paths by their last two parts. */
  readonly specifics: readonly string[];
  /** Row after row. */
  readonly features: Float32Array;
}

export function extractRows(past: readonly Message[], counter: TokenCounter): Extracted {
  const messages = rankedMessages(
    past.filter((message) => message.role !== "system"),
    counter,
  );
  const specifics = gatherSpecifics(messages);
  const count = specifics.known.length / NUMBERS;
  const features = new Float32Array(count * FEATURES.length);
  const names: string[] = [];
  for (let id = 0; id < count; id++) {
    const place = lastPlace(specifics, messages, id);
    names.push(shortForm(messages[place.message]!.index.text.slice(place.start, place.end)));
    const row = features.subarray(id * FEATURES.length, (id + 1) * FEATURES.length);
    writeFeatures(row, specifics, messages, id);
  }
  return { specifics: names, features };
}

/** A path may stand by its last two parts. */
export function shortForm(specific: string): string {
  return specific.toLowerCase().split("/").filter(Boolean).slice(-2).join("/");
}
