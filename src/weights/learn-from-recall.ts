/** Learns from recall: what the agent opened with recall_expand and then used should have been kept (F19). */
import type { Archive, ArchivedMessage } from "../archive/archive.ts";
import { type Message, textOfMessage, toolCallsOf, toolResultsOf } from "../conversation/message.ts";
import { baseName } from "../reading/agents/tool-vocabulary.ts";
import { specificsOf } from "../text/specifics.ts";
import { type Lesson, type Lessons, NOTHING, plus, traitsOf, withCounts } from "./lessons.ts";
import { byRole } from "./origin.ts";

/** A page that was opened, and what of it the agent used. */
interface Opened {
  readonly callId: string;
  readonly used: readonly string[];
}

/** The lessons with what the recalls of this conversation teach. Throws what the archive throws. */
export async function learnFromRecall(
  lessons: Lessons,
  messages: readonly Message[],
  archive: Archive | undefined,
  conversation: string | undefined,
): Promise<Lessons> {
  const opened = openedPages(messages, new Set(lessons.heard));
  if (opened.length === 0) return lessons;
  const used = new Set(opened.flatMap((page) => page.used));
  const archived = used.size === 0 ? [] : await archivedMessages(archive, conversation);
  const counts = new Map<string, Lesson>();
  for (const specific of used) {
    const origin = archived.findLast(({ text }) => text.toLowerCase().includes(specific));
    const traits = traitsOf(specific, {
      by: origin ? byRole(origin.role) : "tool",
      tools: origin?.tools ?? [],
    });
    // subtle: of what is in no archived message only the kind is known.
    for (const trait of origin ? traits : traits.slice(0, 1))
      counts.set(trait, plus(counts.get(trait) ?? NOTHING, { needed: 1 }));
  }
  const heard = [...lessons.heard, ...opened.map(({ callId }) => callId)].slice(-MAX_HEARD);
  return withCounts({ ...lessons, heard }, counts);
}

const MAX_HEARD = 64;
/** A page that is used for more than this was read as a whole: it says little about what should have been kept. */
const MAX_USED = 40;
const RECALL_TOOLS: ReadonlySet<string> = new Set(["recall_expand", "recall_search"]);

/** The pages that were opened, answered and followed by the agent's next words, and were not learned from yet. */
function openedPages(messages: readonly Message[], heard: ReadonlySet<string>): readonly Opened[] {
  const calls = new Set(
    messages.flatMap((message) =>
      toolCallsOf(message)
        .filter(({ name, pairId }) => baseName(name) === "recall_expand" && !heard.has(pairId))
        .map(({ pairId }) => pairId),
    ),
  );
  if (calls.size === 0) return [];
  return messages.flatMap((message, at) =>
    toolResultsOf(message)
      .filter(({ pairId }) => calls.has(pairId))
      .flatMap(({ pairId, text }) => {
        if (!messages.slice(at + 1).some(({ role }) => role === "assistant")) return [];
        return [{ callId: pairId, used: usedOf(text, messages, at) }];
      }),
  );
}

/** Of a page at `at`: what nobody had in view before it, and the assistant said after it before anybody else did. */
function usedOf(page: string, messages: readonly Message[], at: number): readonly string[] {
  const open = specificsOf(page);
  for (const message of messages.slice(0, at))
    for (const specific of specificsOf(textOfMessage(message))) open.delete(specific);
  const used: string[] = [];
  for (const message of messages.slice(at + 1)) {
    for (const specific of specificsOf(textOfMessage(message))) {
      if (open.delete(specific) && message.role === "assistant") used.push(specific);
    }
  }
  return used.slice(0, MAX_USED);
}

async function archivedMessages(
  archive: Archive | undefined,
  conversation: string | undefined,
): Promise<readonly ArchivedMessage[]> {
  if (conversation === undefined || !archive?.messages) return [];
  const all = await archive.messages(conversation);
  return all.filter(({ tools }) => !tools.some((name) => RECALL_TOOLS.has(baseName(name))));
}
