/** The room that is kept for what a model is asked to write. */

import { handoffIn } from "../conversation/handoffs/separate.ts";
import type { Message } from "../conversation/message.ts";
import { writtenLines as linesByMarks } from "../engine/story-room.ts";
import { readStory } from "./read-story.ts";
import { readSections } from "./sections.ts";

/** What a model wrote in the hand-offs among these messages, line by line. */
export function writtenLines(span: readonly Message[]): readonly string[] {
  return span.flatMap((message) => {
    const told = linesByMarks([message]);
    if (told.length > 0) return told;
    const found = handoffIn(message);
    const turns = found ? readStory(readSections(found.body).story) : [];
    const entries = turns.flatMap((turn) => turn.entries).filter(({ voice }) => voice === "earlier");
    return entries.flatMap(({ units }) =>
      units
        .map(({ text, join }, at) => (at === 0 ? text : join + text))
        .join("")
        .split("\n"),
    );
  });
}
