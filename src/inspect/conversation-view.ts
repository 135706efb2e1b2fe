/** conversationView: a conversation's timeline: what each message costs, where it was compacted, what a provider reported. */
import type { Archive, CompactionRecord } from "../archive/archive.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import type { FactsReader, ShownFacts } from "./message-facts.ts";
import { budgetOf, type GivenSession, type Profile, thresholdViews } from "./profile.ts";
import { nextPosition, readPlan, type Standing } from "./standing.ts";
import { addKinds, noTokens, TOKEN_KINDS } from "./token-kinds.ts";
import type { CompactionMark, ConversationView, MessageView, TokenKind } from "./views.ts";

export interface ConversationSources {
  readonly archive: Archive;
  readonly standing: Standing;
  readonly profile: Profile;
  readonly counter: TokenCounter;
  readonly reader: FactsReader;
  readonly given?: GivenSession | undefined;
}

export async function conversationView(sources: ConversationSources): Promise<ConversationView> {
  const { standing, profile, counter, reader, given } = sources;
  const { said, context } = standing;
  const idsOf = (places: readonly { readonly id: string }[]) => places.map(({ id }) => id);
  const facts = await reader.facts(idsOf(said), profile.format);
  const marks = await compactionMarks(sources);
  const contextTokens = sum(await reader.facts(idsOf(context), profile.format));
  const { toolTokens } = profile;
  const budget = budgetOf(profile);
  return {
    id: standing.conversation,
    ...(profile.format !== undefined && { format: profile.format }),
    ...(profile.model !== undefined && { model: profile.model }),
    messages: 1 + (said.at(-1)?.position ?? -1),
    exact: counter.exact,
    tokens: contextTokens + toolTokens,
    saidTokens: sum(facts) + toolTokens,
    toolTokens,
    ...(profile.window !== undefined && { window: profile.window }),
    ...(budget !== undefined && { budget }),
    preset: profile.preset,
    thresholds: thresholdViews(profile),
    kinds: kindLists(standing, facts),
    compactions: marks.map(({ mark }) => mark),
    usage: [...marks.flatMap(({ usage }) => usage), ...(given?.usage ? [given.usage] : [])],
    firstAt: said[0]?.at ?? 0,
    lastAt: said.at(-1)?.at ?? 0,
    pins: given?.pins ?? [],
    problems: given?.problems ?? [],
  };
}

/** Messages by their positions, as a list shows them. */
export async function messageViews(
  { standing, profile, reader }: ConversationSources,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<readonly MessageView[]> {
  const messages = standing.said.filter(({ position }) => position >= from && position < from + count);
  const facts = await reader.facts(
    messages.map(({ id }) => id),
    profile.format,
  );
  return messages.map(({ position, id, tools, at }, order) => {
    const { kinds: _, ...rest } = facts[order]!;
    return { position, id, tools, at, ...rest };
  });
}

interface Marked {
  readonly mark: CompactionMark;
  readonly usage: ConversationView["usage"];
}

function compactionMarks({
  archive,
  standing,
  profile,
  reader,
}: ConversationSources): Promise<readonly Marked[]> {
  const inForce = new Set(standing.inForce);
  const marked = async (record: CompactionRecord): Promise<Marked> => {
    const { id, at, preset, tokensBefore, tokensAfter, messagesAfter } = record;
    const notes = (await readPlan(archive, record))?.notes;
    const facts = await reader.facts(
      messagesAfter.map((place) => place.id),
      profile.format,
    );
    const position = nextPosition(record);
    const reported = notes?.reportedTokens;
    return {
      mark: {
        id,
        at,
        position,
        tokensBefore,
        tokensAfter,
        kindsAfter: facts.map(({ kinds }) => kinds).reduce(addKinds, noTokens),
        preset,
        ...(notes && { reason: notes.reason }),
        undone: !inForce.has(record),
      },
      usage: reported === undefined ? [] : [{ position, tokens: reported }],
    };
  };
  return Promise.all(standing.records.map(marked));
}

function kindLists(
  { said }: Standing,
  facts: readonly ShownFacts[],
): Readonly<Record<TokenKind, readonly number[]>> {
  const length = 1 + (said.at(-1)?.position ?? -1);
  const lists = TOKEN_KINDS.map((kind) => {
    const list = new Array<number>(length).fill(0);
    for (const [order, { position }] of said.entries()) list[position] = facts[order]!.kinds[kind];
    return [kind, list.some((tokens) => tokens > 0) ? list : []] as const;
  });
  return Object.fromEntries(lists) as unknown as Record<TokenKind, readonly number[]>;
}

function sum(facts: readonly ShownFacts[]): number {
  return facts.reduce((total, { tokens }) => total + tokens, 0);
}
