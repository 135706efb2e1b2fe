/** expand: the original behind an id, or a range of a conversation, page by page within a budget. */
import type { Archive } from "../archive/archive.ts";
import { agentOf, textOfMessage } from "../conversation/message.ts";
import { createTokenCounter } from "../tokens/counter.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { type Asking, askingFrom, type Outside, outsideOf } from "./asked-branch.ts";
import { type EmbeddedMedia, type NotedJson, noteMedia } from "./embedded-media.ts";
import { grepLines } from "./grep-lines.ts";
import { listText, type MessageText } from "./message-texts.ts";
import { oneBranch } from "./one-branch.ts";
import { overviewOf } from "./overview.ts";
import { pageOf } from "./page.ts";
import { readPartName } from "./part-name.ts";
import { rangeText } from "./range-text.ts";
import { openOriginal, type RawOriginal } from "./raw-original.ts";
import { readableText } from "./readable-text.ts";
import { ownMessages } from "./stored-message.ts";

/** What to show: an item by its id, or a part of one by its name, or messages of a conversation by their numbers, both inclusive. */
export type ExpandTarget =
  | { readonly id: string }
  | { readonly conversation: string; readonly from?: number; readonly to?: number };

export interface ExpandOptions {
  /**
   * The most tokens that the whole answer may cost, including its last line. Below about 60 only that line fits.
   * @default 2000
   */
  readonly maxTokens?: number;
  /**
   * Where to continue: `next` of the previous page.
   * @default 0
   */
  readonly offset?: number;
  /**
   * Only lines that contain this: words, `a|b` for either, `a.*b` for one after the other. For a message or a span these are
   * the lines of what it says, not of its JSON.
   */
  readonly grep?: string;
}

export interface Expansion {
  /** The page, and a last line that says how much of the whole it is and how to get the rest. */
  readonly text: string;
  readonly found: boolean;
  /** The part of the whole on this page and the whole, in characters; with `grep`, in lines that match. */
  readonly shown: number;
  readonly total: number;
  /** The offset of the next page; absent on the last one. */
  readonly next?: number;
  /** The pictures, sounds and files of a message that the page mentions. */
  readonly media?: readonly EmbeddedMedia[];
}

export const EXPAND_TOKENS = 2000;

/** A target and how to show it in one value, as the tool `recall_expand` gets it. */
export interface RecallExpandOptions extends ExpandOptions, Asking {
  /** Either an id, or a turn of a hand-off as `pith:…#12`, turns as `#12-15`, a step as `#12.3` … */
  readonly id?: string;
  /** … or a conversation, with the first and the last message to show. */
  readonly conversationId?: string;
  readonly from?: number;
  readonly to?: number;
  /** @default o200k_base */
  readonly counter?: TokenCounter;
  /** Instead of `asking`: what is not in the past, found out by the caller. */
  readonly outside?: Outside;
}

/**
 * A text as it is, a message as its JSON, a span as the JSON list of its messages; a range, a turn or a step as texts with headings.
 * What does not fit and has turns or steps is first told by these, each with its name.
 * In place of a picture's data is what it is; where a message is opened, the data is in `media`.
 * What is not there is no exception: `found` is false and `text` says why. Of a conversation, only what is in the past of the
 * one who asks is there; an id alone is of no conversation, and is opened as it is.
 */
export async function recallExpand(whole: Archive, asked: RecallExpandOptions): Promise<Expansion> {
  const { id, conversationId, from, to, counter = createTokenCounter(), ...rest } = asked;
  const { asking, otherBranches = false, outside: given, ...options } = rest;
  const outside = given ?? outsideOf(whole, askingFrom(asking), conversationId);
  const out = conversationId === undefined ? NONE : await outside(conversationId);
  if (id === undefined && conversationId === undefined) {
    return notFound("Give an id, or a conversation with from and to.");
  }
  const archive = otherBranches ? whole : oneBranch(whole, out);
  const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const target = id === undefined ? { conversation: conversationId!, ...range } : { id };
  const isOutside = id !== undefined && out.has(idOf(id));
  if (isOutside && !otherBranches) return notFound(notInPast(id));
  const page = await expand(archive, counter, target, options);
  return isOutside ? { ...page, text: `${NOT_IN_PAST}\n${page.text}` } : page;
}

const NONE: ReadonlySet<string> = new Set();
const NOT_IN_PAST = "[NOT in this conversation's past: taken back, or of another branch]";

function notInPast(id: string): string {
  return `${id} is not in this conversation's past: it was taken back, or is of another branch. other_branches opens it.`;
}

/** The item of a part's name. */
function idOf(name: string): string {
  return readPartName(name)?.id ?? name;
}

export async function expand(
  archive: Archive,
  counter: TokenCounter,
  target: ExpandTarget,
  { maxTokens = EXPAND_TOKENS, offset = 0, grep }: ExpandOptions = {},
): Promise<Expansion> {
  const whole = await wholeOf(archive, target, grep ? readableOf : notedOf);
  if ("problem" in whole) return notFound(whole.problem);
  const options = { maxTokens, offset: Math.max(0, Math.floor(offset)), counter };
  if (grep) return pageOfLines(whole.text, grep, options);
  const page = pageOfText(whole, options);
  const isFlood = "id" in target && options.offset === 0 && page.next !== undefined;
  return (isFlood ? await overview(archive, target.id, page, options) : undefined) ?? page;
}

/** In place of the first page of something large: its parts, where it has any. */
async function overview(
  archive: Archive,
  id: string,
  { total }: Expansion,
  { maxTokens, counter }: Paging,
): Promise<Expansion | undefined> {
  const room = Math.max(1, maxTokens - OVERVIEW_FOOTER_TOKENS);
  const found = await overviewOf(archive, id, { maxTokens: room, counter });
  if (!found) return undefined;
  const { text, howToOpen } = found;
  const footer = `[showing ${text.length} characters, an overview: ${howToOpen}]`;
  return { text: `${text}\n${footer}`, found: true, shown: text.length, total };
}

/** The text without any media: what is searched by lines. */
function readableOf(original: RawOriginal): NotedJson {
  return { text: readableText(original), media: [] };
}

/** Of a span, each note has the id of its message: that opens it. A part of one is what its messages say. */
function notedOf({ kind, text, messages }: RawOriginal, id: string): NotedJson {
  if (kind === "message") return noteMedia(text, id);
  if (!messages) return { text, media: [] };
  if (readPartName(id)) return { text: messages.map(headed).join("\n\n"), media: [] };
  const noted = messages.map((message) => noteMedia(message.text, message.id));
  return { text: listText(noted), media: [] };
}

function headed({ id, text }: MessageText): string {
  const said = ownMessages(text);
  const [first] = said;
  return `[${first ? (agentOf(first) ?? first.role) : "message"}, ${id}]\n${said.map(textOfMessage).join("\n") || text}`;
}

function notFound(text: string): Expansion {
  return { text, found: false, shown: 0, total: 0 };
}

/** The whole text, or why there is none. */
async function wholeOf(
  archive: Archive,
  target: ExpandTarget,
  textOf: (original: RawOriginal, id: string) => NotedJson,
): Promise<NotedJson | { readonly problem: string }> {
  if ("id" in target) {
    const original = await openOriginal(archive, target.id);
    if ("problem" in original) return original;
    if (original.forgotten === undefined) return textOf(original, target.id);
    return { problem: `${target.id} was erased on ${new Date(original.forgotten).toISOString()}.` };
  }
  const { conversation, ...range } = target;
  if (!archive.messages) return { problem: "This archive cannot read a range of messages: expand by id." };
  const messages = await archive.messages(conversation, range);
  if (messages.length === 0) return { problem: "There are no messages in that range." };
  return { text: rangeText(messages), media: [] };
}

interface Paging {
  readonly maxTokens: number;
  readonly offset: number;
  readonly counter: TokenCounter;
}

function pageOfText({ text: whole, media }: NotedJson, { maxTokens, offset, counter }: Paging): Expansion {
  const total = whole.length;
  if (offset >= total && total > 0) return pastTheEnd(total, "characters");
  const room = Math.max(1, maxTokens - FOOTER_TOKENS);
  const page = pageOf(whole, { from: Math.min(offset, total), maxTokens: room, counter });
  const shown = page.to - page.from;
  const noted = media.filter(({ at }) => at >= page.from && at < page.to);
  const footer =
    shown === total
      ? `[showing all ${total} characters]`
      : `[showing ${shown} of ${total} characters, ${page.from} to ${page.to}${goOn(page.to, total)}]`;
  return {
    text: maxTokens > FOOTER_TOKENS ? `${page.text}\n${footer}` : footer,
    found: true,
    shown,
    total,
    ...(page.to < total ? { next: page.to } : {}),
    ...(noted.length > 0 && { media: noted.map(({ mediaType, data }) => ({ mediaType, data })) }),
  };
}

function pageOfLines(whole: string, grep: string, { maxTokens, offset, counter }: Paging): Expansion {
  const lines = grepLines(whole, grep).map(({ line, text }) => `${line}: ${text}`);
  const total = lines.length;
  if (total === 0) return { text: "[no line matches]", found: true, shown: 0, total };
  if (offset >= total) return pastTheEnd(total, "matching lines");
  const kept: string[] = [];
  let room = maxTokens - FOOTER_TOKENS;
  for (const line of lines.slice(offset)) {
    room -= counter.text(line) + 1;
    if (room < 0 && kept.length > 0) break;
    // The first line is cut to fit rather than left out, so that paging ends.
    kept.push(
      room < 0
        ? pageOf(line, { from: 0, maxTokens: Math.max(1, maxTokens - FOOTER_TOKENS), counter }).text
        : line,
    );
    if (room < 0) break;
  }
  const to = offset + kept.length;
  const footer = `[showing ${kept.length} of ${total} matching lines${goOn(to, total)}]`;
  return {
    text: maxTokens > FOOTER_TOKENS ? [...kept, footer].join("\n") : footer,
    found: true,
    shown: kept.length,
    total,
    ...(to < total ? { next: to } : {}),
  };
}

/** What the last line may cost. */
const FOOTER_TOKENS = 48;
const OVERVIEW_FOOTER_TOKENS = 96;

function goOn(to: number, total: number): string {
  return to < total ? `; for the next page give offset ${to}` : "";
}

function pastTheEnd(total: number, unit: string): Expansion {
  return { text: `[the offset is past the end: ${total} ${unit} in all]`, found: true, shown: 0, total };
}
