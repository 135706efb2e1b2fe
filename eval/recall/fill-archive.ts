/** fillArchive: the conversations that questions are about, whole, in an archive. */
import type { Archive } from "../../src/archive/archive.ts";
import { importConversation } from "../../src/archive/import-conversation.ts";
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
      if (wanted.delete(id)) await importConversation(archive, { conversationId: id, body: messages, at: 0 });
    }
    if (wanted.size > 0) throw new Error(`${source} has no conversation ${[...wanted].join(", ")}.`);
  }
}

function sourceNamed(name: string): Source {
  const source = sources.find((each) => each.name === name);
  if (!source) throw new Error(`There is no source ${name}.`);
  return source;
}
