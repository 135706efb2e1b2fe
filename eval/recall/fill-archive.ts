/** fillArchive: the conversations that questions are about, whole, in an archive. */
import type { Archive, ArchivedMessage } from "../../src/archive/archive.ts";
import { archiveItem } from "../../src/archive/item-id.ts";
import type { Conversation } from "../../src/conversation/conversation.ts";
import { callsById, textOfMessage, toolCallsOf, toolResultsOf } from "../../src/conversation/message.ts";
import { readConversation } from "../../src/formats/detect.ts";
import { readSource, type Source, sources } from "../recordings/sources.ts";
import type { RecallQuestion } from "./questions.ts";

export async function fillArchive(
  archive: Archive,
  folder: string,
  questions: readonly RecallQuestion[],
): Promise<void> {
  for (const [source, asked] of Map.groupBy(questions, (question) => question.source)) {
    const wanted = new Set(asked.map(({ conversation }) => conversation));
    for (const { id, messages } of readSource(folder, sourceNamed(source))) {
      if (wanted.delete(id)) await archive.put(writeOf(id, readConversation(messages)));
    }
    if (wanted.size > 0) throw new Error(`${source} has no conversation ${[...wanted].join(", ")}.`);
  }
}

function sourceNamed(name: string): Source {
  const source = sources.find((each) => each.name === name);
  if (!source) throw new Error(`There is no source ${name}.`);
  return source;
}

function writeOf(conversation: string, { messages }: Conversation): Parameters<Archive["put"]>[0] {
  const calls = callsById(messages);
  const placed = messages.map((message, position) => {
    const item = archiveItem("message", JSON.stringify(message.raw?.value));
    const names = [
      ...toolCallsOf(message).map(({ name }) => name),
      ...toolResultsOf(message).flatMap(({ pairId }) => calls.get(pairId)?.name ?? []),
    ];
    const said: ArchivedMessage = {
      position,
      id: item.id,
      role: message.role,
      tools: [...new Set(names)],
      text: textOfMessage(message),
      at: position,
    };
    return { item, said };
  });
  return {
    conversation,
    at: messages.length,
    items: [...new Map(placed.map(({ item }) => [item.id, item])).values()],
    messages: placed.map(({ said }) => said),
  };
}
