/** Keeps the most telling sentences of old, long assistant messages, verbatim (F2–F15). */

import { handoffIn } from "../../conversation/handoffs/separate.ts";
import { makesCalls, withParts } from "../../conversation/message.ts";
import {
  type ExtractOptions,
  extractCounted,
  type SentenceCount,
  sumOf,
} from "../../sources/gptme/extract-text.ts";
import { scoreSentence } from "../../sources/gptme/score-sentence.ts";
import { specificsOf } from "../../text/specifics.ts";
import { weighersOf } from "../../weights/origin.ts";
import type { Edit } from "../plan.ts";
import type { Stage } from "./stage.ts";

export const extractSentences: Stage = {
  name: "extract-sentences",
  propose(messages, { policy, counter, editable, tokensToSave, marks, lessons }) {
    const rule = policy.extract;
    if (!rule) return [];
    const weighers = lessons && weighersOf(lessons, messages);
    const edits: Edit[] = [];
    let saved = 0;
    for (const message of messages) {
      if (saved >= tokensToSave) break;
      const distance = messages.length - message.position - 1;
      if (message.role !== "assistant" || makesCalls(message) || distance < rule.distance) continue;
      if (!editable.has(message.position) || counter.message(message) <= rule.minTokens) continue;
      // A hand-off holds the user's words: it is folded into the next one, never thinned out.
      if (handoffIn(message)) continue;
      const counts: SentenceCount[] = [];
      const replaced = withParts(
        message,
        message.parts.map((part) => {
          if (part.type !== "text") return part;
          const weigh = weighers && learnedScore(weighers(message.position));
          const { text, ...count } = extractCounted(part.text, {
            ratio: rule.ratio,
            ...(weigh && { weigh }),
          });
          counts.push(count);
          return text === part.text ? part : { ...part, text: withHandle(text, marks?.text(part.text)) };
        }),
      );
      const saving = counter.message(message) - counter.message(replaced);
      if (saving <= 0) continue;
      saved += saving;
      const sentences = sumOf(counts);
      const reason = `${sentences.kept} of ${sentences.total} sentences kept`;
      edits.push({ kind: "replace", position: message.position, message: replaced, reason, sentences });
    }
    return edits;
  },
};

/** What was learned moves a score by the specific that counts most: up by at most 1, down by at most a half. */
function learnedScore(weightOf: (specific: string) => number): NonNullable<ExtractOptions["weigh"]> {
  return (sentence, index, total) => {
    const weights = [...specificsOf(sentence)].map(weightOf);
    return scoreSentence(sentence, index, total) + (weights.length === 0 ? 0 : Math.max(...weights) - 1);
  };
}

function withHandle(text: string, id: string | undefined): string {
  return id === undefined ? text : `${text.trimEnd()}\n\n[pith: sentences left out; all of them: ${id}]`;
}
