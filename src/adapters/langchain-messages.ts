/** LangChain messages: what they hold, and how changed and new ones are made of the classes that came in. */
import type { ContentPiece, MessageKind } from "./message-view.ts";
import { sealIn } from "./seals.ts";

export interface LangChainMessage {
  readonly type: string;
  readonly content: string | readonly Block[];
  readonly tool_calls?: readonly ToolCall[];
  readonly tool_call_id?: string;
  readonly status?: string;
  readonly id?: string;
  readonly additional_kwargs?: Readonly<Record<string, unknown>>;
  readonly response_metadata?: Readonly<Record<string, unknown>>;
  readonly lc_kwargs?: Readonly<Record<string, unknown>>;
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly [key: string]: unknown;
}

interface ToolCall {
  readonly id?: string;
  readonly name: string;
  readonly args: unknown;
}

/** What a piece is made of: a block of the content, a call with the block that repeats it, or thinking beside them. */
interface Value {
  readonly block?: Block | string | readonly (Block | string)[];
  readonly call?: ToolCall;
  readonly thinking?: unknown;
}

const ROLES: Readonly<Record<string, "system" | "user" | "assistant" | "tool">> = {
  system: "system",
  developer: "system",
  ai: "assistant",
  assistant: "assistant",
  tool: "tool",
  function: "tool",
};
const TYPES = { system: "system", user: "human", assistant: "ai" } as const;

/** Where LangChain keeps the ids that the Responses API gave to calls. */
const FUNCTION_CALL_IDS = "__openai_function_call_ids__";

type MessageClass = new (fields: { readonly content: string }) => LangChainMessage;

/** The classes are those of the messages that were read, so that nothing of LangChain need be imported. */
export function langChainMessages(): MessageKind<LangChainMessage> {
  const classes = new Map<string, MessageClass>();
  return {
    roleOf: (message) => {
      classes.set(message.type, message.constructor as MessageClass);
      return ROLES[message.type] ?? "user";
    },
    piecesOf,
    withPieces,
    create: (role, text) => {
      // A conversation without a message of the user has no hand-off.
      const Class = classes.get(TYPES[role]) ?? classes.get("human")!;
      return new Class({ content: text });
    },
    text: (text): Value => ({ block: { type: "text", text } }),
    identity: ({ type, content, tool_calls, tool_call_id }) => ({ type, content, tool_calls, tool_call_id }),
  };
}

function piecesOf(message: LangChainMessage): readonly ContentPiece[] {
  const { type, content, tool_calls: calls = [], tool_call_id: id = "" } = message;
  const blocks = typeof content === "string" ? (content === "" ? [] : [content]) : content;
  if (type === "tool" || type === "function") {
    const media = blocks.filter(isMedia);
    const said = blocks.filter((block) => !isMedia(block));
    const isPlain = said.every(isWords);
    const edited = (now: string, kept: number): Value => ({
      block: kept > 0 ? [...(now === "" ? [] : [{ type: "text", text: now }]), ...media.slice(-kept)] : now,
    });
    const text = said.map(textOfBlock).join("\n");
    return [{ kind: "result", id, text, media, value: { block: content }, ...(isPlain && { edited }) }];
  }
  const repeats = new Map(
    blocks.flatMap((block) =>
      typeof block !== "string" && isRepeat(block, calls) ? [[block.id, block]] : [],
    ),
  );
  const thinking = message.additional_kwargs?.reasoning;
  return [
    ...(sealIn(thinking) === "" ? [] : [thinkingPiece(thinking)]),
    ...blocks.flatMap((block) =>
      typeof block !== "string" && repeats.has(block.id) && isRepeat(block, calls) ? [] : [pieceOf(block)],
    ),
    ...calls.map((call) => callPiece(call, repeats.get(call.id))),
  ];
}

/** Some providers' content has the calls once more. */
function isRepeat({ type, id }: Block, calls: readonly ToolCall[]): boolean {
  return (type === "tool_use" || type === "tool_call") && calls.some((call) => call.id === id);
}

function pieceOf(block: Block | string): ContentPiece {
  const value: Value = { block };
  if (typeof block === "string")
    return { kind: "text", text: block, value, edited: (text): Value => ({ block: text }) };
  switch (block.type) {
    case "text":
      return {
        kind: "text",
        text: block.text ?? "",
        value,
        edited: (text): Value => ({ block: { ...block, text } }),
      };
    case "thinking":
    case "redacted_thinking":
    case "reasoning":
      return { kind: "reasoning", text: textOfBlock(block), seal: sealIn(block), value };
    default:
      return isMedia(block)
        ? { kind: "media", text: "", media: [block], value }
        : { kind: "other", text: JSON.stringify(block), value };
  }
}

const MEDIA = /^(?:image(?:_url)?|audio|video|file|document|input_(?:image|audio|file))$/;

function isMedia(block: Block | string): block is Block {
  return typeof block !== "string" && MEDIA.test(block.type);
}

function isWords(block: Block | string): boolean {
  return typeof block === "string" || block.type === "text";
}

/** As the Responses API's is kept: beside the content, with all that the API gave once more in the metadata. */
function thinkingPiece(thinking: unknown): ContentPiece {
  return { kind: "reasoning", text: "", seal: sealIn(thinking), value: { thinking } satisfies Value };
}

function callPiece(call: ToolCall, block: Block | undefined): ContentPiece {
  const edited = (now: string): Value => {
    const args: unknown = JSON.parse(now);
    const key = block !== undefined && "args" in block ? "args" : "input";
    return { call: { ...call, args }, ...(block && { block: { ...block, [key]: args } }) };
  };
  return {
    kind: "call",
    id: call.id ?? "",
    name: call.name,
    text: JSON.stringify(call.args ?? {}),
    value: { call, ...(block && { block }) } satisfies Value,
    edited,
  };
}

function textOfBlock(block: Block | string): string {
  if (typeof block === "string") return block;
  const { text, thinking, reasoning } = block;
  const said = [text, thinking, reasoning].find((each) => typeof each === "string");
  return typeof said === "string" ? said : "";
}

/** A copy of the same class: ids, names, metadata and the provider's own fields stay. */
function withPieces(message: LangChainMessage, given: readonly unknown[]): LangChainMessage {
  const values = given as readonly Value[];
  const blocks = values.flatMap(({ block }) => block ?? []);
  const calls = values.flatMap(({ call }) => (call === undefined ? [] : [call]));
  const isText = typeof message.content === "string" || (message.type === "tool" && blocks.every(isWords));
  const content = isText
    ? blocks.map(textOfBlock).filter(Boolean).join("\n\n")
    : blocks.map((block) => (typeof block === "string" ? { type: "text", text: block } : block));
  const { tool_calls: _raw, reasoning, ...kwargs } = message.additional_kwargs ?? {};
  const { output: _given, ...metadata } = message.response_metadata ?? {};
  const { [FUNCTION_CALL_IDS]: _ids, ...unthought } = kwargs;
  const thinks = sealIn(reasoning) === "" || values.some(({ thinking }) => thinking !== undefined);
  const changed = {
    content,
    additional_kwargs: thinks ? { ...kwargs, ...(reasoning !== undefined && { reasoning }) } : unthought,
    ...(message.response_metadata && { response_metadata: metadata }),
    // The API knows by its id that something came with thinking, and refuses it without.
    ...(!thinks && { id: undefined }),
    ...(message.tool_calls && { tool_calls: calls }),
  };
  const lc_kwargs = { ...message.lc_kwargs, ...changed };
  return Object.assign(Object.create(Object.getPrototypeOf(message)), message, changed, { lc_kwargs });
}
