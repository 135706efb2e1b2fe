/** Part: one piece of a message's content. What the engine may ask about a piece, the piece itself says. */

/** Prose or any other text that the author of the message wrote. */
export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

/** A model's thinking, replayed to the provider. */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
  /** The provider signed or encrypted it: it may be dropped where that is legal, never edited. */
  readonly signed: boolean;
  /** Characters of its signature or ciphertext. All of the thinking is in there, whatever the text tells of it. */
  readonly sealed?: number;
}

/** A call that the assistant made. */
export interface ToolCallPart {
  readonly type: "tool-call";
  /** Names the call; the result that answers it carries the same `pairId`. Empty when the wire gave none. */
  readonly pairId: string;
  readonly name: string;
  /** The arguments as JSON text (as the wire had it, even when that is not valid JSON). */
  readonly arguments: string;
  /** The provider ran the tool itself: call and result are in the same message and are never split. */
  readonly server: boolean;
  /** The provider knows the shape of the arguments: values in it may be shortened, nothing else may stand for it. */
  readonly shaped?: boolean;
}

/** What a tool answered. */
export interface ToolResultPart {
  readonly type: "tool-result";
  readonly pairId: string;
  /** The answer's text; several text blocks are joined by a newline. */
  readonly text: string;
  /** Images and other pieces inside the result, in order. */
  readonly attachments: readonly (MediaPart | OpaquePart)[];
  /** The wire says that the tool failed. */
  readonly isError: boolean;
  readonly server: boolean;
  /** The provider takes it in this shape only, such as a screenshot: it goes with its call, and nothing can replace it. */
  readonly shaped?: boolean;
}

/** An image, a sound, a document: counted at a price, never read. */
export interface MediaPart {
  readonly type: "media";
  readonly kind: "image" | "audio" | "document";
  /** Width and height in pixels, where the wire says. */
  readonly size?: readonly [width: number, height: number];
  /** "low" detail images have a flat price. */
  readonly detail?: string;
}

/** A piece this format has no name for. It rides along and comes out exactly as it came in. */
export interface OpaquePart {
  readonly type: "opaque";
  /** The wire's own name for it, for people to read in the Report. */
  readonly kind: string;
  /** What it is counted by: its text as the model sees it. */
  readonly text: string;
  /** Characters of its ciphertext, which only the provider can read. */
  readonly sealed?: number;
}

export type Part = TextPart | ReasoningPart | ToolCallPart | ToolResultPart | MediaPart | OpaquePart;

/** The text that a model reads in a part; a call reads as its name and arguments. */
export function textOfPart(part: Part): string {
  switch (part.type) {
    case "tool-call":
      return `${part.name} ${part.arguments}`;
    case "media":
      return "";
    default:
      return part.text;
  }
}
