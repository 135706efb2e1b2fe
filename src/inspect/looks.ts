/** Looks: conversations as they stand, read once for the many questions that a page asks in a moment. */
import type { Archive } from "../archive/archive.ts";
import { counterForModel } from "../tokens/counter.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { type ContextBody, contextBody } from "./context-body.ts";
import { createFactsReader, type FactsReader } from "./message-facts.ts";
import { type EngineSettings, type GivenSession, type Profile, readProfile } from "./profile.ts";
import { InspectRefusal } from "./refusal.ts";
import { readStanding, type Standing } from "./standing.ts";

export interface Look {
  readonly archive: Archive;
  readonly standing: Standing;
  readonly profile: Profile;
  readonly counter: TokenCounter;
  readonly reader: FactsReader;
  readonly given: GivenSession | undefined;
  /** The request that the conversation would be sent as now. */
  readonly context: () => Promise<ContextBody>;
}

export interface Looks {
  /** `maxAgeMs`: a look that was taken no longer ago will do. Throws Refusal where there is no such conversation. */
  readonly look: (id: string, maxAgeMs: number) => Promise<Look>;
  /** It changed. */
  readonly forget: (id: string) => void;
}

export interface LooksOptions {
  readonly archive: Archive;
  readonly settings: EngineSettings;
  readonly given: GivenSession | undefined;
}

/** Each may hold megabytes. */
const MOST_LOOKS = 8;

export function createLooks({ archive, settings, given }: LooksOptions): Looks {
  const readers = new Map<TokenCounter, FactsReader>();
  const taken = new Map<string, { readonly at: number; readonly look: Promise<Look> }>();

  const take = async (id: string): Promise<Look> => {
    const standing = await readStanding(archive, id);
    if (!standing)
      throw new InspectRefusal("NOT_FOUND", `There is no conversation ${id} in ${archive.name}.`);
    const own = given?.conversation === id ? given : undefined;
    const profile = await readProfile(archive, standing, settings, own);
    const counter = counterForModel(profile.model);
    const reader = readers.get(counter) ?? createFactsReader(archive, counter);
    readers.set(counter, reader);
    let context: Promise<ContextBody> | undefined;
    return {
      archive,
      standing,
      profile,
      counter,
      reader,
      given: own,
      context: () => {
        context ??= contextBody(archive, standing, profile.format, own);
        return context;
      },
    };
  };

  return {
    look: (id, maxAgeMs) => {
      const known = taken.get(id);
      if (known && performance.now() - known.at <= maxAgeMs) return known.look;
      const look = take(id);
      taken.delete(id);
      if (taken.size >= MOST_LOOKS) taken.delete(taken.keys().next().value!);
      taken.set(id, { at: performance.now(), look });
      look.catch(() => taken.delete(id));
      return look;
    },
    forget: (id) => void taken.delete(id),
  };
}
