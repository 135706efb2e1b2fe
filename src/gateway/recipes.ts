/** Recipes: what is known of the conversations that pass, by the link of the hash chain; in this process and in the archive. */
import type { CompressRequest } from "../agent-control/compress-context.ts";
import type { ContextFill } from "../agent-control/fill-note.ts";
import type { Archive } from "../archive/archive.ts";
import { archiveItem } from "../archive/item-id.ts";
import { writeTo } from "../archive/ready-write.ts";
import { unlisted } from "../archive/unlisted.ts";
import { untilErased } from "../archive/until-erased.ts";
import { isObject } from "../json/wire-value.ts";
import { type CompactionState, initialState } from "../state/compaction-state.ts";
import { readState } from "../state/read-state.ts";
import { type BoundedMap, boundedMap } from "./bounded-map.ts";
import type { ChainSeed } from "./chain.ts";
import { plainRecipe, type Recipe, type RecipeEntry } from "./recipe.ts";

export interface KnownRecipe {
  readonly recipe: Recipe;
  readonly state: CompactionState;
  /** The name that the conversation has in the archive, or will have: what is kept is about it, and forgotten with it. */
  readonly name?: string | undefined;
  /** The same, once it was compacted. */
  readonly conversation?: string | undefined;
  /** What the agent asked for in its last turn; the next request honours it. */
  readonly requested?: CompressRequest | undefined;
  /** How full the context was at this link: a request that is sent again is the same again. */
  readonly fill?: ContextFill | undefined;
  /** The window that it was found right for; a model with a smaller one may need more. */
  readonly window?: number | undefined;
  /** The link at which a summary of the messages up to it was begun, for the next compaction. */
  readonly snapshot?: string | undefined;
  /** Where it, or what it was made of, was looked for: it is remembered there, and no longer than the rest of it. */
  readonly memory?: Memory | undefined;
}

/** What this process remembers, until something is erased from the archive. */
type Memory = BoundedMap<KnownRecipe>;

export interface FoundRecipe extends KnownRecipe {
  readonly memory: Memory;
  /** How many of the client's messages were known. */
  readonly at: number;
  /** Why the archive could not be asked; then there may be more than was found. */
  readonly failure?: unknown;
}

export interface Recipes {
  /** What is known of the longest prefix. Never rejects. */
  readonly find: (tenant: string, links: readonly string[]) => Promise<FoundRecipe>;
  /** For this process alone: what is lost with it costs no more than a look. */
  readonly remember: (link: string, known: KnownRecipe) => void;
  /** For every process that shares the archive; durable when it resolves. Rejects where it is not. */
  readonly keep: (
    tenant: string,
    link: string,
    known: KnownRecipe & { readonly name: string },
  ) => Promise<void>;
}

/** A conversation is called what its client calls it, or after the first request of it that mattered. */
export function nameOf(known: KnownRecipe, { tenant, conversation }: ChainSeed, link: string): string {
  return known.name ?? known.conversation ?? `${tenant}/${conversation ?? link.slice(0, 24)}`;
}

/** Characters of stored messages and states that the process remembers. */
const REMEMBERED_CHARACTERS = 24_000_000;

export function createRecipes(archive: Archive | undefined, clock: () => number): Recipes {
  const memories = untilErased(archive, () => boundedMap<KnownRecipe>(REMEMBERED_CHARACTERS, sizeOf));
  const remember = (link: string, { recipe, state, memory = memories.now(), ...rest }: KnownRecipe): void =>
    memory.set(link, { ...rest, recipe: detached(recipe), state: detached(state) });

  const findRemembered = (memory: Memory, links: readonly string[]): FoundRecipe => {
    for (let at = links.length - 1; at > 0; at--) {
      const known = memory.get(links[at]!);
      if (known) return { ...known, memory, at };
    }
    return { recipe: plainRecipe, state: initialState, memory, at: 0 };
  };

  /** Another process may know more of the conversation than this one. */
  const findKept = async (tenant: string, links: readonly string[], { at, memory }: FoundRecipe) => {
    const from = at + 1;
    if (from === links.length) return undefined;
    const places = new Map(links.slice(from).map((link, index) => [placeOf(tenant, link), from + index]));
    const kept = (await archive?.checkpoints?.([...places.keys()])) ?? [];
    const newest = kept.toSorted((a, b) => places.get(b.conversation)! - places.get(a.conversation)!)[0];
    return newest && { ...readKnown(newest.state), memory, at: places.get(newest.conversation)! };
  };

  return {
    find: async (tenant, links) => {
      const before = memories.now();
      const found = findRemembered(before, links);
      try {
        // Both at once: that something was erased is rare.
        const [memory, kept] = await Promise.all([memories.renewed(), findKept(tenant, links, found)]);
        if (memory === before) return kept ?? found;
        const left = findRemembered(memory, links);
        return (await findKept(tenant, links, left)) ?? left;
      } catch (failure) {
        return { ...found, failure };
      }
    },
    remember,
    keep: async (tenant, link, known) => {
      const { memory: _, ...lasting } = known;
      const items = [archiveItem("state", JSON.stringify(lasting))];
      if (archive)
        await writeTo(archive, {
          conversation: placeOf(tenant, link),
          about: known.name,
          at: clock(),
          items,
        });
      remember(link, known);
    },
  };
}

/** Whether what was kept at a link is still in the archive: it is forgotten with its conversation. */
export async function isKept(archive: Archive, tenant: string, link: string): Promise<boolean> {
  return !archive.checkpoint || (await archive.checkpoint(placeOf(tenant, link))) !== undefined;
}

/** No conversation has such a name: those begin with a tenant's, which has no colon. */
function placeOf(tenant: string, link: string): string {
  return unlisted(`${tenant}/${link}`);
}

/** What many links share is counted for each of them: rather too much than too little. */
function sizeOf({ recipe, state }: KnownRecipe): number {
  return 1_000 + lengthOf(recipe) + lengthOf(state);
}

/** The lengths of values that are remembered. */
const lengths = new WeakMap<object, number>();

function lengthOf(value: object): number {
  return lengths.get(value) ?? JSON.stringify(value).length;
}

/**
 * A copy that keeps nothing else in memory: texts that were cut out of a body would keep the whole body. What is such a
 * copy already is given back as it is, so that the links of a conversation share it.
 */
function detached<Value extends object>(value: Value): Value {
  if (lengths.has(value)) return value;
  const text = JSON.stringify(value);
  const copy = JSON.parse(text) as Value;
  lengths.set(copy, text.length);
  return copy;
}

/** Throws where it is not what `keep` wrote. */
function readKnown(text: string): KnownRecipe {
  const { recipe, state, ...rest } = JSON.parse(text) as KnownRecipe;
  const isRecipe =
    Number.isSafeInteger(recipe?.covers) && Array.isArray(recipe.entries) && recipe.entries.every(isEntry);
  if (!isRecipe) throw new Error("The archive holds a recipe that cannot be read.");
  return { ...rest, recipe, state: readState(state) };
}

function isEntry(entry: unknown): entry is RecipeEntry {
  return (
    typeof entry === "string" ||
    Number.isSafeInteger(entry) ||
    (isObject(entry) && typeof entry.results === "string")
  );
}
