import { expect, test } from "vitest";
import type { Archive } from "../archive/archive.ts";
import { archiveItem } from "../archive/item-id.ts";
import { memoryArchive } from "../archive/memory.ts";
import { compactionWrite, messageItem, textWrite } from "../testing/archive-writes.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import { recallExpand } from "./expand.ts";
import { rawOriginal } from "./raw-original.ts";

const counter = createTokenCounter();

async function archiveWith(text: string): Promise<{ readonly archive: Archive; readonly id: string }> {
  const archive = memoryArchive({ now: () => 0 });
  const item = archiveItem("text", text);
  await archive.put({ conversation: "a", at: 1, items: [item] });
  return { archive, id: item.id };
}

/** What the pages say, without their last lines. */
async function readAll(archive: Archive, id: string, maxTokens: number): Promise<string> {
  let whole = "";
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const { text, shown, next }: Awaited<ReturnType<typeof recallExpand>> = await recallExpand(archive, {
      id,
      maxTokens,
      offset,
    });
    expect(counter.text(text)).toBeLessThanOrEqual(maxTokens);
    whole += text.slice(0, shown);
    offset = next;
  }
  return whole;
}

test("[R35] a text comes as it is, a message as its JSON, a span as a list of messages", async () => {
  const archive = memoryArchive();
  const write = compactionWrite("c", 7);
  await archive.put(write);
  const message = write.items.find(({ kind }) => kind === "message")!;
  const span = write.items.find(({ kind }) => kind === "span")!;
  const opened = async (id: string): Promise<string> => {
    const { text, shown } = await recallExpand(archive, { id });
    return text.slice(0, shown);
  };
  expect(await opened(message.id)).toBe(message.content);
  const list = JSON.parse(await opened(span.id));
  expect(list.map(({ role }: { readonly role: string }) => role)).toEqual(["user", "user"]);
  const { archive: texts, id } = await archiveWith("plain\ttext\n");
  expect((await recallExpand(texts, { id })).text).toBe("plain\ttext\n\n[showing all 11 characters]");
});

const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(60_000, "pixels ")]);
const picture = png.toString("base64");
const url = `data:image/png;base64,${picture}`;
const sound = Buffer.alloc(900, "noise ").toString("base64");

test.each([
  [
    "openai-chat",
    {
      role: "user",
      content: [
        { type: "image_url", image_url: { url } },
        { type: "text", text: "See?" },
      ],
    },
  ],
  [
    "anthropic-messages",
    {
      role: "user",
      content: [
        { type: "image", source: { type: "base64", media_type: "image/png", data: picture } },
        { type: "text", text: "See?" },
      ],
    },
  ],
  [
    "openai-responses",
    { type: "function_call_output", call_id: "a", output: [{ type: "input_image", image_url: url }] },
  ],
  ["a generated image", { type: "image_generation_call", id: "i", result: picture }],
])("a picture of %s is told as what it is, and comes beside the text", async (_, message) => {
  const archive = memoryArchive();
  const item = archiveItem("message", JSON.stringify(message));
  const several = archiveItem("message", `${JSON.stringify(message)},${JSON.stringify(message)}`);
  const span = archiveItem("span", `${item.id}\n${several.id}`);
  await archive.put({ conversation: "a", at: 1, items: [item, several, span] });
  const opened = await recallExpand(archive, { id: item.id });
  expect(opened.text).toContain(`[image/png, 60,008 bytes, ${item.id}]`);
  expect(opened.text).not.toContain(picture.slice(100, 140));
  expect(opened.text).toContain("showing all");
  expect(opened.media).toEqual([{ mediaType: "image/png", data: picture }]);
  const all = await recallExpand(archive, { id: span.id });
  expect(all.media).toBeUndefined();
  for (const [id, times] of [
    [item.id, 1],
    [several.id, 2],
  ] as const)
    expect(all.text.split(`[image/png, 60,008 bytes, ${id}]`)).toHaveLength(times + 1);
  expect((await rawOriginal(archive, item.id))!.text).toBe(item.content);
});

test("a sound and a file are told alike, base64 that a person wrote stays, and slashes may be escaped", async () => {
  const content = [
    { type: "input_audio", input_audio: { data: sound, format: "wav" } },
    { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0xLjcK/aaa" } },
    { type: "text", text: url },
  ];
  const archive = memoryArchive();
  const item = archiveItem("message", JSON.stringify({ role: "user", content }).replaceAll("/", "\\/"));
  await archive.put({ conversation: "a", at: 1, items: [item] });
  const { text, media } = await recallExpand(archive, { id: item.id, maxTokens: 50_000 });
  expect(media!.map(({ mediaType }) => mediaType)).toEqual(["audio/wav", "application/pdf"]);
  expect(text).toContain(`[audio/wav, 900 bytes, ${item.id}]`);
  expect(text).toContain(url.slice(30, 200).replaceAll("/", "\\/"));
  const first = await recallExpand(archive, { id: item.id, maxTokens: 100 });
  expect(first.media!.length).toBeGreaterThan(0);
  const { media: none } = await recallExpand(archive, { id: item.id, maxTokens: 100, offset: 600 });
  expect(none).toBeUndefined();
});

test("[R35] pages keep the budget and together give every character", async () => {
  for (const text of [
    Array.from({ length: 400 }, (_, at) => `line ${at} of the log`).join("\n"),
    "a".repeat(20_000),
    "漢字".repeat(3_000),
    "😀".repeat(2_000),
    " ".repeat(30_000),
  ]) {
    const { archive, id } = await archiveWith(text);
    expect(await readAll(archive, id, 600)).toBe(text);
  }
});

test("[R35] says how much is shown and where to go on", async () => {
  const { archive, id } = await archiveWith("word ".repeat(2_000));
  const page = await recallExpand(archive, { id, maxTokens: 100 });
  expect(page.text).toContain(`[showing ${page.shown} of 10000 characters, 0 to ${page.next}`);
  expect(page.text.endsWith(`for the next page give offset ${page.next}]`)).toBe(true);
  expect((await recallExpand(archive, { id, offset: 99_999 })).text).toContain("past the end");
});

test("[R35] shows only matching lines, with their numbers, page by page", async () => {
  const text = Array.from({ length: 300 }, (_, at) => (at % 3 === 0 ? `Error ${at}: disk` : `ok ${at}`));
  const { archive, id } = await archiveWith(text.join("\n"));
  const page = await recallExpand(archive, { id, grep: "error", maxTokens: 200 });
  expect(page.text.startsWith("1: Error 0: disk\n4: Error 3: disk\n")).toBe(true);
  expect(page.text).toContain(`[showing ${page.shown} of 100 matching lines; for the next page`);
  expect(counter.text(page.text)).toBeLessThanOrEqual(200);
  const rest = await recallExpand(archive, { id, grep: "error", offset: page.next!, maxTokens: 50_000 });
  expect(rest.shown).toBe(100 - page.shown);
  expect(rest.next).toBe(undefined);
  expect((await recallExpand(archive, { id, grep: "nowhere" })).text).toBe("[no line matches]");
});

test("[R35] greps what a message says, not its JSON; the message itself opens as its bytes", async () => {
  const archive = memoryArchive();
  const log = 'start\nError: "disk" full\n\tat write\nend';
  const wires = [
    { role: "tool", tool_call_id: "c1", content: log },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: log }] }],
    },
    { type: "function_call_output", call_id: "c1", output: log },
  ];
  for (const wire of wires) {
    const item = archiveItem("message", JSON.stringify(wire));
    await archive.put({ conversation: "a", at: 1, items: [item] });
    const { text, total } = await recallExpand(archive, { id: item.id, grep: "disk|write" });
    expect(text).toBe('2: Error: "disk" full\n3: \tat write\n[showing 2 of 2 matching lines]');
    expect(total).toBe(2);
    expect((await rawOriginal(archive, item.id))?.text).toBe(item.content);
  }
});

test("[R35] greps what the messages of a span say, and an unknown shape as it is", async () => {
  const archive = memoryArchive();
  const messages = [messageItem("one\ntwo"), messageItem("three\nfour")];
  const span = archiveItem("span", messages.map(({ id }) => id).join("\n"));
  const strange = archiveItem("message", '{"neither":"role","nor":"content"}');
  await archive.put({ conversation: "a", at: 1, items: [...messages, span, strange] });
  const grepped = async (id: string, grep: string) => (await recallExpand(archive, { id, grep })).text;
  expect(await grepped(span.id, "two|four")).toBe("2: two\n5: four\n[showing 2 of 2 matching lines]");
  expect(await grepped(strange.id, "role")).toContain('1: {"neither":"role"');
});

test("[R35] shows a range of a conversation with numbers, roles and ids", async () => {
  const archive = memoryArchive();
  await archive.put(textWrite("a", ["one", "two", "three"]));
  const { text } = await recallExpand(archive, { conversationId: "a", from: 1, to: 1 });
  expect(text).toContain(`[message 1, user, ${messageItem("two").id}]\ntwo`);
  expect((await recallExpand(archive, { conversationId: "a", from: 9 })).found).toBe(false);
  expect((await recallExpand(archive, { conversationId: "nobody" })).found).toBe(false);
});

test("[R35] says what is unknown, erased or not asked for", async () => {
  const { archive, id } = await archiveWith("secret plans");
  expect(await recallExpand(archive, { id: "pith:000000000000" })).toEqual({
    text: "Nothing is archived under pith:000000000000.",
    found: false,
    shown: 0,
    total: 0,
  });
  await archive.forget!({ ids: [id] });
  expect((await recallExpand(archive, { id })).text).toBe(`${id} was erased on 1970-01-01T00:00:00.000Z.`);
  expect((await recallExpand(archive, {})).found).toBe(false);
});
