/** The cases of all chosen sources, made one recording at a time while others are being measured. */
import { seededRandom, shuffled } from "../figures/seeded-random.ts";
import { familiesOf, unseenFamilies } from "../recordings/families.ts";
import { readSource, type Source } from "../recordings/sources.ts";
import { type Case, casesOf } from "./cases.ts";
import { commonSpecifics } from "./specifics.ts";
import { textOf } from "./wire-message.ts";

export interface CaseTask {
  readonly source: string;
  readonly case: Case;
}

export interface TasksInput {
  readonly folder: string;
  readonly sources: readonly Source[];
  /** At most so many conversations of each source that have a case, drawn by the seed. */
  readonly sample?: number;
  readonly seed: number;
  /** Only conversations that nothing was trained on. */
  readonly heldOut?: boolean;
  /** Kinds of targets to keep, by their ratio (`0.3`) or `recorded`. */
  readonly ratios?: readonly string[];
}

export function* caseTasks({
  folder,
  sources,
  sample = Number.POSITIVE_INFINITY,
  seed,
  heldOut = false,
  ratios = [],
}: TasksInput): Generator<CaseTask> {
  for (const source of sources) {
    const recordings = readSource(folder, source);
    const common = commonSpecifics(recordings.map(({ messages }) => messages.map(textOf).join("\n")));
    let conversations = 0;
    const families = familiesOf(recordings);
    const unseen = unseenFamilies(source.name, families);
    const drawn = Number.isFinite(sample)
      ? shuffled(recordings, seededRandom(seed, source.name))
      : recordings;
    for (const { id, messages } of drawn) {
      if (conversations >= sample) break;
      const family = families.get(id)!;
      if (heldOut && !unseen.has(family)) continue;
      const cases = casesOf({ id, messages, common })
        .map((found) => ({
          ...found,
          conversation: family,
          targets: found.targets.filter(({ kind }) => isWanted(kind, ratios)),
        }))
        .filter(({ targets }) => targets.length > 0);
      for (const found of cases) yield { source: source.name, case: found };
      if (cases.length > 0) conversations++;
    }
  }
}

function isWanted(kind: string, ratios: readonly string[]): boolean {
  return ratios.length === 0 || ratios.some((ratio) => kind === ratio || kind.endsWith(` ${Number(ratio)}`));
}
