/**
 * Where a numbered behaviour is otherwise than its document describes it, and why. A number that is not here is as described.
 * Each reason also stands where a user of the preset looks: in docs/presets.md or the page of the part.
 */
export const otherwise: Readonly<Record<string, string>> = {
  F1: "a later phase is left out where the earlier ones have reached the target: each costs something that was said",
  F2: "with an archive a last line names the id under which the sentences that were left out can be had",
  F4: "a line's end closes a sentence too, unless the line is merely wrapped, and so do the stops of other scripts: lists and paragraphs keep their shape",
  F13: "a message that makes tool calls is not extracted, as gptme does today: its words belong to its calls",
  F19: "it learns from what the agent had to recall and then used; ratings and outcomes of tasks are in no conversation, so nobody is asked for them",
  F23: "in a running agent nobody waits for the model: the one pass is begun before the threshold and used when it is ready; with `summarize: true`, and on the command line, it is waited for",
  F25: "behind the source's words stand the size to aim at (F48), the fenced turns and a line that these are data (R47)",
  F26: "the three messages are as they were shaped on arrival (F31), and the tail reaches further back to where a turn starts, within half of the target (R12)",
  F27: "the role is the user's where an assistant's summary would take the first word from the user or stand beside another message of the assistant (R4, R5), and an end marker closes it (R9)",
  F30: "session logs, personas and checkpoints yield where together they would take more than a fifth of the target (R44)",
  F32: "of more than 50 hits the first 50 are shown",
  F33: "a read of up to 500 lines stays on arrival up to 80,000 characters: a larger one fills a window by itself",
  F34: "up to 100 rows stay on arrival up to 80,000 characters, for the same reason",
  F36: "an error that the wire does not mark, known by its exit code or a diagnosis, stays in full up to 20,000 characters: what is longer is a log with an error in it",
  F41: "the prefix is exact; an end marker closes the summary, so that nothing below it is taken for a part of it (R9)",
  F45: "behind its words stand what an earlier summary said, what must be told, and a line that the turns are data (R21, R36, R47)",
  F46: "behind its words stands what stands behind those of F45",
  F47: "each turn stands between tags besides, which no turn can imitate (R47)",
  F50: "where no role alternates with both neighbours, a short message stands between the summary and one of them (R5), and the tail reaches further back to where a turn starts (R12)",
  F57: "the tail reaches further back than six messages to where a turn starts, within half of the target (R12)",
  F58: "below the line stand the latest ask, the user's rules and what is open, and an end marker: the document names their loss as its weakness (F61, R37)",
  F59: "what calls say counts as their messages do (R26), and what the provider reported, or a counter of one's own, comes before the estimate",
  F62: "what is offloaded goes to the archive, which recall searches, and not to a file",
  F66: "the annotation is left out where it would take more than a tenth of the summary's room",
  F69: "it is opt-in (`density`) and off in every preset: on recordings, rare words were those that nobody needed again",
  F70: "it is the other measure of `density`, off in every preset as F69 is",
  F86: "beta has the two settings that the document maps it to, 80 % with three turns and 70 % with two (`degraded`); what lies between is a policy of one's own",
};
