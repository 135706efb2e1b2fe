/** createInspector: answers the questions of the inspector's page about an archive, and makes the changes that it asks for. */
import type { Archive, CompactionRecord } from "../archive/archive.ts";
import { untilErased } from "../archive/until-erased.ts";
import type { Message } from "../conversation/message.ts";
import { type PresetName, presets } from "../policy/presets.ts";
import { recallSearch } from "../recall/search.ts";
import { ownHandoffs } from "../run/own-handoffs.ts";
import { readState } from "../state/read-state.ts";
import { counterForModel } from "../tokens/counter.ts";
import { applyChange, previewChange, type Subject, undoChange } from "./change.ts";
import { compactionView } from "./compaction-view.ts";
import { type Compared, comparedInArchive } from "./compared.ts";
import { createConversationRows, recallsIn, type Sized } from "./conversation-rows.ts";
import { conversationView, messageViews } from "./conversation-view.ts";
import { draftView, type ItemPage, itemView } from "./item-view.ts";
import { createLooks, type Look } from "./looks.ts";
import { type EngineSettings, type GivenSession, thresholdViews } from "./profile.ts";
import { InspectRefusal } from "./refusal.ts";
import type {
  AppliedView,
  CompactionView,
  ConversationRow,
  ConversationView,
  ItemView,
  MessageView,
  PlanBody,
  SearchView,
  SessionView,
  UndoneView,
} from "./views.ts";

export interface InspectorOptions {
  readonly archive: Archive;
  readonly title: string;
  /** Of this package. */
  readonly version: string;
  readonly readOnly: boolean;
  readonly readOnlyReason?: string;
  readonly live?: boolean;
  /** The session that the archive was made for. */
  readonly given?: GivenSession;
  readonly settings?: EngineSettings;
  /** Milliseconds since the epoch. @default Date.now */
  readonly clock?: () => number;
}

/** Every method throws Refusal or CompactionError where there is no answer. */
export interface Inspector {
  readonly session: () => SessionView;
  readonly conversations: () => Promise<readonly ConversationRow[]>;
  readonly conversation: (id: string) => Promise<ConversationView>;
  readonly messages: (
    id: string,
    page: { readonly from: number; readonly count: number },
  ) => Promise<readonly MessageView[]>;
  readonly compaction: (id: string) => Promise<CompactionView>;
  readonly preview: (wish: PlanBody) => Promise<CompactionView>;
  readonly apply: (wish: PlanBody) => Promise<AppliedView>;
  readonly undo: (compaction: string) => Promise<UndoneView>;
  readonly search: (options: Parameters<typeof recallSearch>[1]) => Promise<SearchView>;
  readonly item: (id: string, page: ItemPage) => Promise<ItemView>;
  /** The conversation as it stands, for what is made of it elsewhere. */
  readonly look: (id: string) => Promise<Look>;
}

/** How long an answer may go on counting before it is given with what is counted. */
const ROWS_PATIENCE_MS = 300;
/** How old what is shown may be: nothing that is changed, what a page asks for at once, what one scrolls through. */
const NOW = -1;
const RECENT_MS = 2_000;
const LONG_MS = 20_000;
/** Drafts of previews that can still be opened. */
const MOST_DRAFTS = 2_000;
/** Snippets of one search together; a page shows more than a model is given. */
const SEARCH_TOKENS = 20_000;

export function createInspector(options: InspectorOptions): Inspector {
  const { archive, readOnly, settings = {}, clock = Date.now } = options;
  const memory = untilErased(archive, () => ({
    drafts: new Map<string, Message>(),
    looks: createLooks({ archive, settings, given: options.given }),
  }));
  const forget = (id: string): void => memory.now().looks.forget(id);
  // Nobody else writes to what was made for one file.
  const look = async (id: string, maxAgeMs: number): Promise<Look> =>
    (await memory.renewed()).looks.look(id, options.given ? Number.POSITIVE_INFINITY : maxAgeMs);
  const timelines = new WeakMap<Look, Promise<ConversationView>>();
  const timeline = (from: Look): Promise<ConversationView> => {
    const view = timelines.get(from) ?? conversationView(from);
    timelines.set(from, view);
    return view;
  };
  const subject = async (id: string, maxAgeMs: number): Promise<Subject> => {
    const { standing, profile, context } = await look(id, maxAgeMs);
    return { archive, standing, profile, clock, context: await context() };
  };
  const recordOf = async (id: string): Promise<CompactionRecord> => {
    const record = await archive.compaction?.(id);
    if (!record) throw new InspectRefusal("NOT_FOUND", `There is no compaction ${id} in ${archive.name}.`);
    return record;
  };
  const oursIn = ({ pairs }: Compared, name: string): Promise<ReadonlySet<string>> =>
    ownHandoffs(
      pairs.flatMap(({ before }) => before?.message ?? []),
      { archive, name },
    );
  const size = async (id: string): Promise<Sized> => {
    const { standing, profile, reader } = await look(id, NOW);
    const facts = await reader.facts(
      standing.context.map((place) => place.id),
      profile.format,
    );
    const tokens = facts.reduce((sum, each) => sum + each.tokens, profile.toolTokens);
    const { strikes = 0, blockedReason } = standing.state ?? {};
    return {
      tokens,
      ...(profile.window !== undefined && { window: profile.window, fill: tokens / profile.window }),
      recallUsed: recallsIn(standing.said),
      errors: strikes,
      ...(strikes > 0 && blockedReason !== undefined && { lastError: blockedReason }),
    };
  };
  const rows = createConversationRows({ archive, size, patienceMs: ROWS_PATIENCE_MS });
  const mayChange = (): void => {
    if (readOnly)
      throw new InspectRefusal("READ_ONLY", options.readOnlyReason ?? "The inspector runs with --read-only.");
  };

  return {
    look: (id) => look(id, RECENT_MS),
    session: () => ({
      version: options.version,
      title: options.title,
      readOnly,
      ...(options.readOnlyReason !== undefined && { readOnlyReason: options.readOnlyReason }),
      live: options.live ?? false,
      presets: (Object.keys(presets) as PresetName[]).map((name) => ({
        name,
        targetRatio: presets[name].targetRatio,
        thresholds: thresholdViews({ preset: name, window: settings.window }),
      })),
      ...(options.given && { conversation: options.given.conversation }),
    }),
    conversations: rows.rows,
    conversation: async (id) => timeline(await look(id, RECENT_MS)),
    messages: async (id, page) => messageViews(await look(id, LONG_MS), page),
    compaction: async (id) => {
      const record = await recordOf(id);
      const { standing, profile, counter } = await look(record.conversation, RECENT_MS);
      const compared = await comparedInArchive(archive, record, profile.format);
      if (!compared)
        throw new InspectRefusal("NOT_FOUND", `What compaction ${id} did was erased from ${archive.name}.`);
      const place = standing.inForce.findIndex((each) => each.id === id);
      const state = await archive.get(record.state);
      const ledger = state?.content ? readState(JSON.parse(state.content)).ledger : undefined;
      return {
        ...compactionView({
          conversation: record.conversation,
          compared,
          counter,
          ledger,
          ours: await oursIn(compared, record.conversation),
        }),
        id,
        at: record.at,
        undone: place < 0,
        newest: place >= 0 && place === standing.inForce.length - 1,
        undoes:
          place < 0
            ? []
            : standing.inForce
                .slice(place)
                .map((each) => each.id)
                .reverse(),
      };
    },
    preview: async (wish) => {
      const planned = await subject(wish.conversation, LONG_MS);
      const { compared, drafts: made, result } = await previewChange(planned, wish);
      const { drafts } = memory.now();
      for (const [id, message] of made) drafts.set(id, message);
      for (const id of drafts.keys()) {
        if (drafts.size <= MOST_DRAFTS) break;
        drafts.delete(id);
      }
      const counter = counterForModel(planned.profile.model);
      const ledger = result.plan.handedOff?.ledger;
      const ours = await oursIn(compared, wish.conversation);
      return compactionView({ conversation: wish.conversation, compared, counter, ledger, ours });
    },
    apply: async (wish) => {
      mayChange();
      const compaction = await applyChange(await subject(wish.conversation, NOW), wish);
      forget(wish.conversation);
      return { compaction };
    },
    undo: async (id) => {
      mayChange();
      const { conversation } = await recordOf(id);
      const compactions = await undoChange(await subject(conversation, NOW), id);
      forget(conversation);
      const { tokens = 0 } = await size(conversation);
      const { standing } = await look(conversation, RECENT_MS);
      return { compactions, messages: standing.context.length, tokens };
    },
    // People look at all that was said, whichever branch it is of; the page says so.
    search: async (asked) =>
      recallSearch(archive, { maxTokens: SEARCH_TOKENS, otherBranches: true, ...asked }),
    item: async (id, page) => {
      const draft = (await memory.renewed()).drafts.get(id);
      const view = (await itemView(archive, id, page)) ?? (draft && draftView(id, draft, page));
      if (!view) throw new InspectRefusal("NOT_FOUND", `Nothing is archived under ${id}.`);
      return view;
    },
  };
}
