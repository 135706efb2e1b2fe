/** What git says of changed files: those that a commit took, and those that a status lists. */
import { fileKey } from "./file-path.ts";
import { isCommit, type Lasting } from "./lasting.ts";
import { type SimpleCommand, splitShell, type Word } from "./shell-words.ts";

export interface GitFiles {
  /** The files that a commit was given, or all that were changed. */
  readonly committed?: "all" | readonly string[];
  /** What a status lists: every other file is as it was committed. */
  readonly listed?: readonly { readonly path: string; readonly last: "edited" | "created" | "deleted" }[];
}

/** What a script that was run says of files, by its own words and its answer. */
export function gitFilesIn(
  script: string,
  answer: string,
  lasting: readonly Lasting[],
): GitFiles | undefined {
  const commits = lasting.length > 0 && lasting.some(takesChanges);
  const looks = script.includes(" status") && STATUS.test(script);
  if (!commits && !looks) return undefined;
  const commands = splitShell(script).map(({ words }: SimpleCommand) => words);
  const listed = looks ? listedIn(answer, commands.length === 1) : undefined;
  if (!commits) return listed && { listed };
  const given = commands
    .filter(([program, verb]) => program?.text === "git" && (verb?.text === "add" || verb?.text === "rm"))
    .flatMap((words) => words.slice(2));
  const takesAll =
    given.length === 0 || given.some(({ text, literal }) => !literal || /^(?:-.*|\.|:\/)$/.test(text));
  return {
    committed: takesAll ? "all" : given.map(({ text }) => fileKey(text)),
    ...(listed && { listed }),
  };
}

/** Whether git put other content into the working tree: a pull, a merge, another branch. */
export function movesTree(script: string, answer: string): boolean {
  return (
    script.includes("git ") &&
    MAY_MOVE.test(script) &&
    splitShell(script).some(({ words }) => moves(words)) &&
    !UNMOVED.test(answer)
  );
}

function moves(words: readonly Word[]): boolean {
  const texts = words.map(({ text }) => text);
  const verbAt = texts[1] === "-C" || texts[1] === "-c" ? 3 : 1;
  const options = texts.slice(verbAt + 1).filter((text) => text.startsWith("-"));
  if (texts[0] !== "git" || options.some((option) => MOVES_NOTHING.test(option))) return false;
  switch (texts[verbAt]) {
    case "checkout":
    case "switch":
      return !options.some((option) => MAKES_BRANCH.test(option));
    case "restore":
      return options.some((option) => IN_TREE.test(option)) || !options.some((option) => STAGED.test(option));
    case "reset":
      return options.some((option) => /^--(?:hard|merge|keep)$/.test(option));
    default:
      return MOVERS.has(texts[verbAt] ?? "");
  }
}

const MOVERS = new Set(["pull", "merge", "rebase", "cherry-pick", "revert", "am", "apply"]);
const MAY_MOVE = /checkout|switch|restore|reset|pull|merge|rebase|cherry-pick|revert|am|apply/;
const MOVES_NOTHING = /^--(?:abort|check|stat|help|cached)$/;
/** Also among other letters: `-qb`. */
const MAKES_BRANCH = /^-[a-zA-Z]*[bBcC]$|^--(?:create|force-create|orphan)(?:=|$)/;
const STAGED = /^(?:-S|--staged)$/;
const IN_TREE = /^(?:-W|-SW|-WS|--worktree)$/;
const UNMOVED = /^Already (?:up[ -]to[ -]date|on )/m;

function takesChanges(each: Lasting): boolean {
  return isCommit(each) || (each.name === "reset" && each.what.includes("--hard"));
}

/** One that is shown whole. */
const STATUS = /\bgit (?:-C \S+ )?status\b(?![^;&\n]*(?:\|(?!\|)|-uno|--untracked-files=no))/;
/** A line of the long form, and one of the short. */
const LONG = /^\t(?:(modified|new file|deleted|renamed|both modified): +)?(?:.* -> )?(.+)$/gm;
const SHORT = /^([ MADRU?]{2}) (?:.* -> )?(\S.*)$/gm;

/** The long form says where it is; the short one is known by its letters, and says nothing of a clean tree. */
function listedIn(answer: string, isAlone: boolean): GitFiles["listed"] {
  const isLong = /^On branch |^HEAD detached|working tree clean/m.test(answer);
  if (!isLong && !(isAlone && /^[ MADRU?]{2} \S/.test(answer))) return undefined;
  return [...answer.matchAll(isLong ? LONG : SHORT)].map(([, how = "", path]) => {
    const last = /D|deleted/.test(how) ? "deleted" : /M|modified/.test(how) ? "edited" : "created";
    return { path: path!.trim(), last };
  });
}
