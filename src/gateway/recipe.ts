/** Recipe: how the messages that a client sends become those that go upstream, the same each time they are sent again. */

import { withMessages } from "../conversation/conversation.ts";
import { type JsonSource, readJsonSource } from "../json/source.ts";
import { applyEdits } from "../plan/apply-edits.ts";
import { noteEdits } from "../plan/system-note.ts";
import { readConversation, writeConversation } from "../providers/detect.ts";
import { elementPlaces } from "../providers/element-places.ts";
import type { Result } from "../run/result.ts";
import { maskWire } from "./mask-wire.ts";

/**
 * A number: the client's message in that place, in its own bytes. A text: a message that Pith wrote, or changed.
 * Results: blocks that go into the front of the next message, as JSON with commas between them.
 */
export type RecipeEntry = number | string | { readonly results: string };

export interface Recipe {
  /** How many of the client's messages it stands for: the first so many. */
  readonly covers: number;
  readonly entries: readonly RecipeEntry[];
  /** The system prompt beside the messages has the note of F44. */
  readonly noted: boolean;
}

/** Changes nothing. */
export const plainRecipe: Recipe = { covers: 0, entries: [], noted: false };

/** What goes upstream for all of the client's messages: the recipe's, and then what came since. */
export function entriesFor(recipe: Recipe, count: number): readonly RecipeEntry[] {
  const since = Array.from({ length: count - recipe.covers }, (_, index) => recipe.covers + index);
  return [...recipe.entries, ...since];
}

/** The client's body with the recipe's messages. */
export function cook(source: JsonSource, recipe: Recipe, format: string): string {
  const { text, elements } = source;
  const entries = entriesFor(recipe, elements.length);
  if (!recipe.noted && entries.every((entry, index) => entry === index)) return text;
  const pieces = [text.slice(0, elements[0]!.start)];
  const units = unitsOf(entries);
  for (const [index, unit] of units.entries()) {
    if (index > 0) pieces.push(between(source, units[index - 1]!, unit));
    pieces.push(textOfUnit(source, unit));
  }
  pieces.push(text.slice(elements.at(-1)!.end));
  const body = pieces.join("");
  return recipe.noted ? withNote(body, format) : body;
}

/** The entries of each message: results and the message that they go into are one. */
function unitsOf(entries: readonly RecipeEntry[]): readonly (readonly RecipeEntry[])[] {
  const units: RecipeEntry[][] = [];
  let isOpen = false;
  for (const entry of entries) {
    if (isOpen) units.at(-1)!.push(entry);
    else units.push([entry]);
    isOpen = typeof entry === "object";
  }
  return units;
}

function textOfUnit(source: JsonSource, unit: readonly RecipeEntry[]): string {
  const blocks = unit.flatMap((entry) => (typeof entry === "object" ? [entry.results] : []));
  const last = unit.at(-1)!;
  const text =
    typeof last === "number"
      ? sliceOf(source, last)
      : typeof last === "string"
        ? last
        : '{"role":"user","content":[]}';
  return blocks.length === 0 ? text : withBlocks(text, blocks);
}

function withBlocks(text: string, blocks: readonly string[]): string {
  const message = JSON.parse(text) as { readonly content?: unknown };
  const { content } = message;
  const own = Array.isArray(content) ? content : [{ type: "text", text: String(content) }];
  return JSON.stringify({
    ...message,
    content: [...(JSON.parse(`[${blocks.join(",")}]`) as unknown[]), ...own],
  });
}

/** Neighbours that were neighbours keep the very text between them. */
function between(
  { text, elements }: JsonSource,
  [previous, ...more]: readonly RecipeEntry[],
  [entry]: readonly RecipeEntry[],
): string {
  const areNeighbours = more.length === 0 && typeof previous === "number" && entry === previous + 1;
  return areNeighbours ? text.slice(elements[previous]!.end, elements[previous + 1]!.start) : ",";
}

function sliceOf({ text, elements }: JsonSource, position: number): string {
  return text.slice(elements[position]!.start, elements[position]!.end);
}

function withNote(body: string, format: string): string {
  const conversation = readConversation(body, { format });
  const messages = applyEdits(conversation.messages, noteEdits(conversation.messages[0]));
  return String(writeConversation(withMessages(conversation, messages)));
}

/**
 * The recipe after a compaction, in terms of the client's messages. Of a message that was changed, the elements that
 * came through are still the client's own.
 *
 * @param result what the engine made of the body that `cook` made of the earlier recipe
 */
export function recipeAfter(earlier: Recipe, result: CompactedBody, count: number): Recipe {
  const { original, body, conversation, rewrite } = result;
  const units = unitsOf(entriesFor(earlier, count));
  const [before, after] = [readJsonSource(String(original.body)), readJsonSource(String(body))];
  const { read, written } = elementPlaces(conversation);
  const entries = rewrite.flatMap(({ from }, at) => {
    let own = read[from] ?? [];
    return written[at]!.flatMap((index): readonly RecipeEntry[] => {
      const slice = sliceOf(after, index);
      const stayed = own.findIndex((each) => sliceOf(before, each) === slice);
      if (stayed < 0) return [maskWire(slice)];
      const unit = units[own[stayed]!]!;
      own = own.slice(stayed + 1);
      return unit;
    });
  });
  return { covers: count, entries, noted: earlier.noted || systemOf(before) !== systemOf(after) };
}

type CompactedBody = Pick<Result<string>, "original" | "body" | "conversation" | "rewrite">;

function systemOf({ text, system }: JsonSource): string | undefined {
  return system && text.slice(system.value.start, system.value.end);
}
