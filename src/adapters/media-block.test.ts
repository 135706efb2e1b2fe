import { expect, test } from "vitest";
import { createCompactor } from "../compactor.ts";
import { type AiMessage, aiMessages } from "./ai-messages.ts";
import { type LangChainMessage, langChainMessages } from "./langchain-messages.ts";
import { mediaBlock } from "./media-block.ts";
import { messageView } from "./message-view.ts";

const bytes = new Uint8Array(Buffer.from("pixels of a picture"));
const base64 = Buffer.from(bytes).toString("base64");
const url = `data:image/png;base64,${base64}`;

test.each([
  ["the AI SDK's bytes", { type: "file", mediaType: "image/png", data: bytes }],
  ["the AI SDK's prompt", { type: "file", mediaType: "image/png", data: { type: "data", data: base64 } }],
  ["the AI SDK's image", { type: "image", mediaType: "image/png", image: bytes.buffer }],
  ["a tool's picture of the AI SDK", { type: "image-data", mediaType: "image/png", data: base64 }],
  ["LangChain's address", { type: "image_url", image_url: { url } }],
  ["LangChain's data", { type: "image", source_type: "base64", mime_type: "image/png", data: base64 }],
  ["Anthropic's block", { type: "image", source: { type: "base64", media_type: "image/png", data: base64 } }],
])("%s is an image with its data", (_, piece) => {
  expect(mediaBlock(piece)).toEqual({ type: "image_url", image_url: { url } });
});

test("an address stays one, sounds and files are such, and what only the provider has is named without data", () => {
  const address = new URL("https://example.com/a.png");
  expect(mediaBlock({ type: "image", image: address })).toMatchObject({ image_url: { url: address.href } });
  expect(mediaBlock({ type: "audio", mimeType: "audio/wav", data: "AAAA" })).toEqual({
    type: "input_audio",
    input_audio: { data: "data:audio/wav;base64,AAAA" },
  });
  expect(mediaBlock({ type: "file", mediaType: "application/pdf", data: "AAAA" })).toEqual({
    type: "file",
    file: { file_data: "data:application/pdf;base64,AAAA" },
  });
  const reference = {
    type: "file",
    mediaType: "image/png",
    data: { type: "reference", reference: { x: 1 } },
  };
  expect(mediaBlock(reference)).toEqual({ type: "image_url", image_url: { url: "data:," } });
});

const lines = Array.from({ length: 400 }, (_, at) => `line ${at} says ${at * 37}`).join("\n");

/** The class is what the view makes new messages of. */
class Said implements LangChainMessage {
  readonly type: string;
  readonly content: LangChainMessage["content"];
  readonly tool_calls?: LangChainMessage["tool_calls"] & {};
  readonly tool_call_id?: string;
  constructor(fields: Partial<LangChainMessage>) {
    this.type = fields.type ?? "human";
    this.content = fields.content ?? "";
    if (fields.tool_calls) this.tool_calls = fields.tool_calls;
    if (fields.tool_call_id) this.tool_call_id = fields.tool_call_id;
  }
}

test("the AI SDK: of a result with a picture in view the text is cut and the picture stays", async () => {
  const picture = { type: "file", mediaType: "image/png", data: { type: "data", data: base64 } };
  const look = (id: string): AiMessage[] => [
    { role: "assistant", content: [{ type: "tool-call", toolCallId: id, toolName: "look", input: {} }] },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: id,
          toolName: "look",
          output: { type: "content", value: [{ type: "text", text: lines }, picture] },
        },
      ],
    },
  ];
  const given: AiMessage[] = [{ role: "user", content: "Look." }, ...look("a"), ...look("b")];
  const view = messageView(aiMessages);
  const result = await createCompactor({ window: 100_000 }).compact(view.body(given), { target: 3_000 });
  const [last] = view.messages(result, given).slice(-1);
  const [part] = last!.message.content as unknown as readonly [
    { output: { value: readonly { text?: string }[] } },
  ];
  expect(part.output.value[1]).toBe(picture);
  expect(part.output.value[0]!.text!.length).toBeLessThan(lines.length);
  expect(JSON.stringify(view.messages(result, given)).split(base64)).toHaveLength(2);
});

test("LangChain: of a result with a picture in view the text is cut and the picture stays", async () => {
  const picture = { type: "image_url", image_url: { url } };
  const look = (id: string) => [
    new Said({ type: "ai", tool_calls: [{ id, name: "look", args: {} }] }),
    new Said({ type: "tool", tool_call_id: id, content: [{ type: "text", text: lines }, picture] }),
  ];
  const given: LangChainMessage[] = [new Said({ content: "Look." }), ...look("a"), ...look("b")];
  const view = messageView(langChainMessages());
  const result = await createCompactor({ window: 100_000 }).compact(view.body(given), { target: 3_000 });
  const [last] = view.messages(result, given).slice(-1);
  const [text, shown] = last!.message.content as readonly { readonly text?: string }[];
  expect(shown).toBe(picture);
  expect(text!.text!.length).toBeLessThan(lines.length);
  expect(
    JSON.stringify(view.messages(result, given).map(({ message }) => message.content)).split(base64),
  ).toHaveLength(2);
});
