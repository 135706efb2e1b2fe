/**
 * Signs: how a result says that something is so. Engines have words and marks of their own; what is asked here can be asked of
 * any of them. An engine with another mark for the same thing gets it here.
 */

type End = "ok" | "failed" | "refused";

export type Sign =
  | RegExp
  /** How a command ended, as the last line says that says so, outright or by quoting what shows it. */
  | readonly ["ended", command: string, end: End]
  /** A line says outright that it ended so: that is the engine's own verdict. */
  | readonly ["called", command: string, end: End]
  /** A file is among the changed ones that are not committed. */
  | readonly ["uncommitted", file: string]
  /** A failure is among those that nobody has overcome. */
  | readonly ["unsolved", words: string]
  /** A sentence is among the rules of a person. */
  | readonly ["rule", words: string]
  /** Words are told as a person's. */
  | readonly ["person", words: string]
  /** An entry of a list is still to be done. */
  | readonly ["todo", words: string];

export function isSaid(sign: Sign, text: string): boolean {
  if (sign instanceof RegExp) return sign.test(text);
  const [kind, words, end] = sign;
  if (kind === "ended")
    return (
      text
        .split("\n")
        .map((line) => endIn(line, words))
        .findLast(Boolean) === end
    );
  if (kind === "called") return text.split("\n").some((line) => verdictIn(line, words) === end);
  return listed[kind](text).some((line) => line.includes(words));
}

/** The lines that can say so. */
const listed = {
  uncommitted: (text: string) => below(text, /not committed/),
  unsolved: (text: string) => below(text, /not overcome|not seen to pass/),
  rule: (text: string) => [...below(text, /rules and wishes/), ...linesWith(text, /^§ /)],
  person: (text: string) => linesWith(text, /^(?:> |(?:\[\d+\] )?User: )/),
  todo: (text: string) => linesWith(text, /^(?:- )?(?:\[ \]|open:)/),
};

function linesWith(text: string, mark: RegExp): readonly string[] {
  return text.split("\n").filter((line) => mark.test(line));
}

/** The lines of a section with such a head; a head that is no heading has its list in its own line. */
function below(text: string, head: RegExp): readonly string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    if (!/^(?:## |- )/.test(line) || !head.test(line)) return [];
    if (!line.startsWith("## ")) return [line];
    const rest = lines.slice(at + 1);
    const end = rest.findIndex((other) => /^(?:## |\[End)/.test(other));
    return rest.slice(0, end < 0 ? rest.length : end);
  });
}

function endIn(line: string, command: string): End | undefined {
  const quoted = line.slice(line.indexOf(command)).slice(command.length);
  const verdict = verdictIn(line, command);
  if (verdict !== undefined || !line.includes(command)) return verdict;
  if (/→.*(?:\b[1-9]\d* (?:fail|error)|FAIL|BUILD FAILURE)/.test(quoted)) return "failed";
  return /→.*(?:\b[1-9]\d* pass|BUILD SUCCESS|test result: ok)/.test(quoted) ? "ok" : undefined;
}

function verdictIn(line: string, command: string): End | undefined {
  const at = line.indexOf(command);
  if (at < 0) return undefined;
  const [before, after] = [line.slice(0, at), line.slice(at + command.length)];
  if (/^[✗✕]|^open: |not seen to pass/.test(before) || /^[^→]*→ (?:failed|exit [1-9])/.test(after))
    return "failed";
  if (/^[^→]*→ refused|: the user declined/.test(after)) return "refused";
  return /^[✓✔]/.test(before) || /^[^→]*→ (?:ok|passed)\b/.test(after) ? "ok" : undefined;
}
