/** The words of doubt and of turning points that go with a span, in one line, where a preset annotates them (F63). */

import { handoffIn } from "../conversation/handoffs/separate.ts";
import { type Message, proseOf } from "../conversation/message.ts";
import { markerAnnotation, markerPhrases } from "../sources/synthorg/epistemic-markers.ts";
import { readSections } from "./sections.ts";

/** Doubts further back than this much of the assistant's prose have been settled or have come up again. */
const DOUBTED_CHARS = 65_536;

export function uncertaintyOf(span: readonly Message[]): readonly string[] {
  const texts: string[] = [];
  let chars = 0;
  for (let at = span.length - 1; at >= 0 && chars < DOUBTED_CHARS; at--) {
    const text = doubtsOf(span[at]!);
    chars += text.length;
    if (text !== "") texts.unshift(text);
  }
  const phrases = markerPhrases(texts.join("\n"));
  return phrases.length === 0 ? [] : [markerAnnotation(span.length, phrases)];
}

/** What the assistant said, and of an earlier hand-off what it tells about doubts. */
function doubtsOf(message: Message): string {
  const found = handoffIn(message);
  if (found) return readSections(found.body).uncertainty.join("\n");
  return message.role === "assistant" ? proseOf(message) : "";
}
