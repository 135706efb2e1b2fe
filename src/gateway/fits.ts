/** Whether a body fits: counted at most once, and mostly not at all. */
import { readConversation } from "../providers/detect.ts";
import { counterForModel } from "../tokens/counter.ts";

/** A token has at least a byte, or nearly so: most bodies need no count. */
export function fitting(text: string, format: string, budget: number | undefined): () => boolean {
  let known: boolean | undefined;
  return () => {
    known ??= budget === undefined || text.length < budget || tokensOf(text, format) <= budget;
    return known;
  };
}

function tokensOf(text: string, format: string): number {
  const conversation = readConversation(text, { format });
  return counterForModel(conversation.model).conversation(conversation);
}
