/** The size of a body: counted at most once, and mostly not at all. */
import { readConversation } from "../providers/detect.ts";
import { counterForModel } from "../tokens/counter.ts";

export interface BodySize {
  readonly tokens: () => number;
  /** Whether it is within a budget; without one, anything is. */
  readonly fits: (budget: number | undefined) => boolean;
}

export function bodySize(text: string, format: string): BodySize {
  let known: number | undefined;
  const tokens = (): number => {
    known ??= tokensOf(text, format);
    return known;
  };
  // A token has at least a byte, or nearly so: most bodies need no count.
  const fits = (budget: number | undefined): boolean =>
    budget === undefined || text.length < budget || tokens() <= budget;
  return { tokens, fits };
}

function tokensOf(text: string, format: string): number {
  const conversation = readConversation(text, { format });
  return counterForModel(conversation.model).conversation(conversation);
}
