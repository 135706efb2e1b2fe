/** Probes: the specifics that the assistant used after a cut and could only have carried over it. */
import { specificsOf } from "./specifics.ts";
import { chosenTextOf, textOf, type WireMessage } from "./wire-message.ts";

export interface ProbesInput {
  readonly past: readonly WireMessage[];
  /** The recorded messages after the cut: the judge. */
  readonly future: readonly WireMessage[];
  /** The whole stretch: what its system messages hold, nobody has to carry. */
  readonly stretch: readonly WireMessage[];
  /** What many conversations of the source share. */
  readonly common: ReadonlySet<string>;
}

/**
 * What the assistant wrote after the cut, that the past holds, that nobody told it again before that use, that is in no
 * system message and not common to the source. In the order of their first use.
 */
export function probesOf({ past, future, stretch, common }: ProbesInput): readonly string[] {
  const known = stretch
    .filter(({ role }) => role === "system")
    .map(textOf)
    .join("\n")
    .toLowerCase();
  const carried = specificsOf(pastText(past));
  const told = new Set<string>();
  const probes = new Set<string>();
  for (const message of future) {
    const isAssistant = message.role === "assistant";
    const specifics = specificsOf(isAssistant ? chosenTextOf(message) : textOf(message));
    for (const specific of isAssistant ? specifics : []) {
      const isNew = !told.has(specific) && !common.has(specific);
      if (isNew && carried.has(specific) && !known.includes(specific)) probes.add(specific);
    }
    for (const specific of specifics) told.add(specific);
  }
  return [...probes];
}

/** The text of the part that may be compacted: all but the system messages. */
export function pastText(past: readonly WireMessage[]): string {
  return past
    .filter(({ role }) => role !== "system")
    .map(textOf)
    .join("\n");
}
