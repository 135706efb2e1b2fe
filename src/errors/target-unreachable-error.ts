/** TargetUnreachableError: what cannot shrink is larger than the target; it names the parts. */
import { CompactionError } from "./compaction-error.ts";

/** One thing that cannot shrink, and what it costs. */
export interface FloorPart {
  readonly name: "frame" | "task" | "constraints" | "pinned messages" | "last tool group";
  readonly tokens: number;
}

export class TargetUnreachableError extends CompactionError {
  readonly targetTokens: number;
  readonly floorTokens: number;
  readonly parts: readonly FloorPart[];

  constructor(targetTokens: number, floorTokens: number, parts: readonly FloorPart[]) {
    const named = parts.map((part) => `${part.name} ${part.tokens}`).join(", ");
    super(
      "TARGET_UNREACHABLE",
      `The target of ${targetTokens} tokens is below the floor of ${floorTokens}: ${named}. ` +
        `Ask for at least ${floorTokens} tokens, or unpin messages.`,
    );
    this.targetTokens = targetTokens;
    this.floorTokens = floorTokens;
    this.parts = parts;
  }
}
