/** TargetUnreachableError: what cannot shrink is larger than the target; it names the parts. */
import { CompactionError } from "./compaction-error.ts";

/** One thing that cannot shrink, and what it costs. */
export interface FloorPart {
  readonly name:
    | "system prompt"
    | "tools"
    | "frame"
    | "task"
    | "constraints"
    | "pinned messages"
    | "last tool group"
    | "last message";
  readonly tokens: number;
}

/** The target, and what stands against it. */
export interface Unreachable {
  readonly targetTokens: number;
  /** The least that can be had. */
  readonly floorTokens: number;
  readonly parts: readonly FloorPart[];
  /** The conversation has no more than the floor. */
  readonly isWhole?: boolean;
  /** Messages are pinned: without that the floor would be lower. */
  readonly isPinned?: boolean;
  /** What the request must fit in: then the floor is of all of it, and no target would help. */
  readonly windowTokens?: number;
}

export class TargetUnreachableError extends CompactionError {
  readonly targetTokens: number;
  readonly floorTokens: number;
  readonly parts: readonly FloorPart[];

  constructor(unreachable: Unreachable) {
    super("TARGET_UNREACHABLE", messageFor(unreachable));
    this.targetTokens = unreachable.targetTokens;
    this.floorTokens = unreachable.floorTokens;
    this.parts = unreachable.parts;
  }
}

/** What a hand-off of the conversation takes at least, even where the conversation has less. */
export function sumOfParts({ parts }: TargetUnreachableError): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}

function messageFor(unreachable: Unreachable): string {
  const { targetTokens, floorTokens, parts, isWhole, isPinned, windowTokens } = unreachable;
  const named = parts.map((part) => `${part.name} ${part.tokens}`).join(", ");
  if (windowTokens !== undefined)
    return (
      `The request does not fit in the window of ${windowTokens} tokens, whatever is compacted: it would have ` +
      `${floorTokens} tokens (${named}). Shorten what cannot be compacted, or choose a model with a larger window.`
    );
  const below = `The target of ${targetTokens} tokens is below the floor of ${floorTokens}:`;
  if (isWhole)
    return (
      `${below} the conversation has no more than that, and it cannot be made smaller` +
      `${isPinned ? " as long as messages of it are pinned" : ""}.`
    );
  return `${below} ${named}. Ask for at least ${floorTokens} tokens${isPinned ? ", or unpin messages" : ""}.`;
}
