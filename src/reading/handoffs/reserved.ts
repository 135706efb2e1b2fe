/** Reserved openings: how the lines open that only the hand-off itself may write. Data for quoted.ts. */
import { END_MARKER, PREFIX_OPENINGS } from "../../conversation/handoffs/prefixes.ts";

/** In the order they are written. Models' own summaries have headings such as "## Files": ours say a word more. */
export const SECTION_HEADINGS = [
  ["archive", "## Archive"],
  ["story", "## Story so far"],
  ["constraints", "## State: rules and wishes of the user, later ones win"],
  ["todos", "## State: todo list"],
  ["errors", "## State: failures not overcome"],
  ["files", "## State: files changed, not committed"],
  ["commands", "## State: last checks"],
  ["uncertainty", "## State: doubts"],
  ["instructions", "## State: instructions no longer in view"],
] as const;

/** How earlier releases headed the same. */
export const EARLIER_HEADINGS = [["constraints", "## State: rules of the user"]] as const;

/** Who said what follows in the story: `User: Fix it.` */
export const VOICE_LABELS = {
  user: "User: ",
  agent: "Agent: ",
  answer: "Answer: ",
  summary: "Summary by a model: ",
  earlier: "Earlier summary: ",
} as const;

/** Who said a line, in every other way that a reader may take for one: a role as formats name them. */
const ROLE_LABELS = ["assistant:", "system:", "tool:", "skill:", "other:"] as const;

/**
 * All of them. An opening that ends in a letter is a whole heading, and the same words with more of them behind are another's;
 * every other one is reserved whatever follows it.
 */
export const RESERVED_OPENINGS: readonly string[] = [
  END_MARKER,
  ...PREFIX_OPENINGS,
  ...[...SECTION_HEADINGS, ...EARLIER_HEADINGS].map(([, heading]) => heading),
  ...Object.values(VOICE_LABELS).map((label) => label.trim()),
  ...ROLE_LABELS,
];

/** Where the hand-off begins and ends: no quoted line holds one of these, not even inside. */
export const FRAME_MARKS: readonly string[] = [END_MARKER, "[Pith hand-off]", "[CONTEXT COMPACTION]"];
