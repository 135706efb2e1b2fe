/** narrate: has a summary written of what a plan hands off, and gives back what of it may be in the hand-off. */

import type { Conversation } from "../conversation/conversation.ts";
import { handoffIn } from "../conversation/handoffs/separate.ts";
import { isUserMessage, type Message, textOfMessage } from "../conversation/message.ts";
import type { StoryRoom } from "../engine/written.ts";
import type { SummarizerFailedError } from "../errors/summarizer-failed-error.ts";
import type { TemplateName } from "../policy/template-names.ts";
import { bareLines } from "../reading/handoffs/quoted.ts";
import { initialSummarizerState, type SummarizerState } from "../state/summarizer-state.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { type Audit, auditSummary } from "./audit/audit-summary.ts";
import { withoutRepeats } from "./audit/repeats.ts";
import { type SummaryAttempt, summarizeWithFallback } from "./chain.ts";
import { type EarlierStory, earlierStory } from "./earlier-story.ts";
import { putBackEarlier } from "./put-back-earlier.ts";
import { rideOf } from "./ride.ts";
import { speaksOfUser } from "./serialize.ts";
import type { Summarizer, SummaryRequest } from "./summarizer.ts";
import { ridePrompt, shorterPrompt, summaryPrompt, summaryTargetTokens } from "./summary-prompt.ts";

export interface NarrateOptions {
  /** What is handed off, in order, earlier hand-offs included. */
  readonly span: readonly Message[];
  /** The whole conversation: what a summary names must be somewhere in it. */
  readonly messages: readonly Message[];
  readonly counter: TokenCounter;
  /** What the messages were sent in: a summarizer of the same model may ride on it. */
  readonly conversation?: Conversation | undefined;
  /** In the order they are asked (F49). */
  readonly summarizers: readonly Summarizer[];
  readonly template: TemplateName;
  readonly focus?: string | undefined;
  /** The agent's own window: where no room is given, a summary takes no more than a twentieth of it. */
  readonly window?: number | undefined;
  /** The place that the summary will have in the hand-off. */
  readonly room?: StoryRoom | undefined;
  /** What is known of the span by counting. */
  readonly checklist?: readonly string[] | undefined;
  readonly state?: SummarizerState | undefined;
  /** Names the turn, for the bound on attempts. */
  readonly turn: number;
  readonly force?: "manual" | "overflow" | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly clock: () => number;
}

export interface Narration {
  /** What the summary tells, line by line. Empty when there is none: the deterministic hand-off stands alone. */
  readonly story: readonly string[];
  /** The same as one text, its lines and their ends as the model set them; absent in what was stored without it. */
  readonly text?: string;
  /** What the model wrote, before the audit: what is told where what the audit found stands in the Report alone. */
  readonly written?: string;
  /** It tells of the messages before this position. */
  readonly until: number;
  /** Who wrote the summary. */
  readonly summarizer?: string;
  /** What the summary, or the last one that was refused for it, invented. What it dropped is seen where it is told. */
  readonly audit?: Pick<Audit, "invented" | "struck">;
  readonly attempts: readonly SummaryAttempt[];
  readonly error?: SummarizerFailedError;
  /** What was known of the summarizers when it began, and what is known now. */
  readonly before: SummarizerState;
  readonly state: SummarizerState;
}

/** Never throws. */
export async function narrate(options: NarrateOptions): Promise<Narration> {
  const { span, counter, room } = options;
  const before = options.state ?? initialSummarizerState;
  const told = { before, until: 1 + (span.at(-1)?.position ?? -1) };
  const earlier = room && options.template === "story" ? earlierStory(span, room.tokens, counter) : undefined;
  const first = await ask(options, before, firstRequest(options, earlier), options.summarizers);
  const { attempts, state, audit, writer, error } = first;
  if (!audit || !writer) {
    return { ...told, attempts, state, story: [], ...(audit && { audit }), ...(error && { error }) };
  }
  const size = counter.text(audit.text);
  if (!room || size <= room.mostTokens) {
    return { ...told, attempts, state, audit, ...toldBy(first, earlier, options), summarizer: writer };
  }
  const prompt = shorterPrompt(audit.text, size, room.tokens);
  const again = await ask(options, state, () => ({ prompt }), [
    options.summarizers.find(({ name }) => name === writer)!,
  ]);
  const isShorter = again.writer && again.audit && counter.text(again.audit.text) < size;
  const kept = isShorter ? again : first;
  return {
    ...told,
    attempts: [...attempts, ...again.attempts],
    state: again.state,
    ...(kept.audit && { audit: kept.audit }),
    ...toldBy(kept, earlier, options),
    summarizer: writer,
  };
}

function toldBy(
  { audit, written }: Asked,
  earlier: EarlierStory | undefined,
  { room, counter }: NarrateOptions,
): Pick<Narration, "story" | "text" | "written"> {
  const text = audit?.text ?? "";
  const lines = bareLines(text)
    .map((line) => line.trimEnd())
    .filter((line) => line !== "");
  const whole = { text, ...(written !== undefined && { written }) };
  if (!earlier || !room) return { story: lines, ...whole };
  const story = putBackEarlier(lines, { earlier, maxTokens: room.mostTokens, counter });
  return { ...whole, story, ...(story.join("\n") !== lines.join("\n") && { text: story.join("\n") }) };
}

type Request = Pick<SummaryRequest, "prompt" | "ride">;

interface Asked {
  readonly attempts: readonly SummaryAttempt[];
  readonly state: SummarizerState;
  /** Of the last text that there was, also where it was refused. */
  readonly audit?: Audit;
  readonly written?: string;
  /** Who wrote what may be used. */
  readonly writer?: string;
  readonly error?: SummarizerFailedError;
}

async function ask(
  options: NarrateOptions,
  before: SummarizerState,
  requestOf: (summarizer: Summarizer) => Request,
  summarizers: readonly Summarizer[],
): Promise<Asked> {
  const { span, messages, signal = new AbortController().signal } = options;
  let audit: Audit | undefined;
  let written: string | undefined;
  const { summary, error, attempts, state } = await summarizeWithFallback({
    summarizers,
    request: (summarizer) => ({ ...requestOf(summarizer), targetTokens: targetOf(options), signal }),
    // Whoever rides has read everything.
    hasUser: (summarizers.some(({ rides }) => rides) ? messages : span).some(isOfUser),
    refuse: (text) => {
      written = text;
      audit = auditSummary({
        summary: withoutRepeats(text),
        source: messages.map(textOfMessage).join("\n"),
        mustKeep: [],
      });
      return audit.refused === undefined ? undefined : `${audit.refused}.`;
    },
    turn: options.turn,
    clock: options.clock,
    state: before,
    ...(options.force && { force: options.force }),
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
  });
  return {
    attempts,
    state,
    ...(audit && { audit }),
    ...(written !== undefined && { written }),
    ...(summary && { writer: summary.summarizer }),
    ...(error && { error }),
  };
}

function targetOf({ span, counter, window, room }: NarrateOptions): number {
  const tokens = span.reduce((sum, message) => sum + counter.message(message), 0);
  return room?.tokens ?? summaryTargetTokens(tokens, window);
}

/** What each summarizer is asked first: at the end of the conversation where it can ride on it, and else with a transcript. */
function firstRequest(
  options: NarrateOptions,
  earlier: EarlierStory | undefined,
): (summarizer: Summarizer) => Request {
  const { span, counter, template, focus, room, checklist } = options;
  const targetTokens = targetOf(options);
  const rides = rideFinder(options, targetTokens, earlier);
  return (summarizer) =>
    rides(summarizer) ?? {
      prompt: summaryPrompt({
        messages: span,
        template,
        targetTokens,
        tokensOf: counter.text,
        beside: room?.beside,
        checklist,
        earlier,
        ...(focus !== undefined && { focus }),
        ...(summarizer.window !== undefined && { window: summarizer.window }),
      }).prompt,
    };
}

/** Gives the request that rides on the conversation, where a summarizer can: the same wire and model, and room for it. */
function rideFinder(options: NarrateOptions, targetTokens: number, earlier: EarlierStory | undefined) {
  const { span, messages, counter, template, focus, conversation, room, checklist } = options;
  const ride =
    conversation && options.summarizers.some((each) => each.rides) ? rideOf(conversation) : undefined;
  if (!conversation || !ride) return () => undefined;
  const promptWith = (beside: string | undefined): string =>
    ridePrompt({
      template,
      targetTokens,
      ...(focus !== undefined && { focus }),
      beside,
      checklist,
      earlier,
      newest: messages.length - 1 - (span.at(-1)?.position ?? -1),
      hasHandoff: span.some((message) => handoffIn(message) !== undefined),
    });
  // What the text will be beside is all in the messages above: where both are too long, it is left out.
  const prompts = [promptWith(room?.beside), promptWith(undefined)];
  // The answer's place is twice the wish, since models overshoot.
  const around = counter.conversation(conversation) + targetTokens * 2;
  return ({ rides, window = options.window }: Summarizer): Request | undefined => {
    const isOwn =
      rides === "own" || (rides?.format === conversation.format && rides.model === conversation.model);
    if (!isOwn) return undefined;
    // A tenth is left for another tokenizer; the agent's own conversation was counted for the agent's own model.
    const most = (window ?? Number.POSITIVE_INFINITY) * (rides === "own" ? 0.97 : 0.9);
    const prompt = prompts.find((each) => around + counter.text(each) <= most);
    return prompt === undefined ? undefined : { prompt, ride };
  };
}

/** A person's word, or an earlier hand-off that tells of one. */
function isOfUser(message: Message): boolean {
  const found = handoffIn(message);
  if (!found) return isUserMessage(message);
  return speaksOfUser(found.body) || (message.role === "user" && found.rest !== "");
}
