/** AI messages: what a message of the AI SDK holds, in a prompt for a model as well as in a caller's list. */
import { createHash } from "node:crypto";
import { asBlocks } from "../json/canonical-text.ts";
import type { MediaPiece } from "./media-block.ts";
import type { ContentPiece, MessageKind } from "./message-view.ts";
import { sealIn } from "./seals.ts";

export interface AiMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | readonly AiPart[];
}

interface AiPart {
  readonly type: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: AiOutput;
  readonly providerOptions?: unknown;
  readonly providerMetadata?: unknown;
}

interface AiOutput {
  readonly type: string;
  readonly value?: unknown;
  readonly reason?: string;
}

export const aiMessages: MessageKind<AiMessage> = {
  roleOf: ({ role }) => role,
  piecesOf: ({ content }) => {
    if (typeof content !== "string") return content.map(pieceOf);
    return [{ kind: "text", text: content, value: content, edited: (text) => text }];
  },
  withPieces: (message, values) => {
    if (typeof message.content !== "string") return { ...message, content: values as readonly AiPart[] };
    const texts = values.map((value) => (typeof value === "string" ? value : (value as AiPart).text));
    return { ...message, content: texts.join("\n\n") };
  },
  create: (role, text) => ({ role, content: role === "system" ? text : [{ type: "text", text }] }),
  text: (text) => ({ type: "text", text }),
  // Options are about how a message is sent; some are set anew with every call.
  identity: ({ role, content }) =>
    JSON.stringify(asBlocks({ role, content }), (key, value) => {
      if (value instanceof Uint8Array) return createHash("sha256").update(value).digest("base64");
      return key === "providerOptions" ? undefined : value;
    }),
};

function pieceOf(part: AiPart): ContentPiece {
  const { type, text = "", toolCallId: id = "", toolName: name = "" } = part;
  switch (type) {
    case "text":
      return { kind: "text", text, value: part, edited: (now) => ({ ...part, text: now }) };
    case "reasoning":
      return {
        kind: "reasoning",
        text,
        seal: sealIn(part.providerOptions ?? part.providerMetadata),
        value: part,
      };
    case "tool-call":
      return {
        kind: "call",
        id,
        name,
        text: JSON.stringify(part.input ?? {}),
        value: part,
        edited: (now) => ({ ...part, input: JSON.parse(now) }),
      };
    case "tool-result": {
      const media = mediaIn(part.output);
      return {
        kind: "result",
        id,
        text: textOfOutput(part.output),
        isError: part.output?.type.startsWith("error") === true,
        media,
        value: part,
        edited: (now, kept) => ({
          ...part,
          output: outputWith(part.output, now, kept > 0 ? media.slice(-kept) : []),
        }),
      };
    }
    case "file":
    case "image":
      return { kind: "media", text: "", media: [part as unknown as MediaPiece], value: part };
    default:
      return { kind: "other", text: JSON.stringify(part), value: part };
  }
}

function textOfOutput({ value, reason = "" }: AiOutput = { type: "text" }): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return value === undefined ? reason : JSON.stringify(value);
  return value
    .filter((item: AiPart) => !isMedia(item))
    .map((item: AiPart) => item?.text ?? JSON.stringify(item))
    .join("\n");
}

function mediaIn({ type, value }: AiOutput = { type: "text" }): readonly MediaPiece[] {
  return type === "content" && Array.isArray(value) ? value.filter(isMedia) : [];
}

function isMedia(item: AiPart): boolean {
  return item?.type === "media" || /^(?:file|image)\b/.test(item?.type ?? "");
}

/** As text, beside the media that stay; an error stays one, and the provider's options stay. */
function outputWith(
  output: AiOutput = { type: "text" },
  text: string,
  media: readonly MediaPiece[],
): AiOutput {
  if (media.length > 0)
    return { ...output, value: [...(text === "" ? [] : [{ type: "text", text }]), ...media] };
  const type = output.type.startsWith("error") ? "error-text" : "text";
  return { ...output, type, value: text };
}
