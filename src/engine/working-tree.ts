// Working tree: which files are changed and not committed. Edits say so, and what version control did and printed, the later the truer.

import { type Call, writesFile } from "./calls.ts";
import { namesDefined } from "./digest.ts";
import type { Fact } from "./facts.ts";
import { hasFailed, onlyPrints } from "./outcome.ts";

interface ChangedFile {
  /** The last names that were put into it. */
  readonly names: ReadonlySet<string>;
  /** The messages that speak of it. */
  readonly sources: ReadonlySet<number>;
}

/** A line that git prints when it has committed. */
export const COMMITTED = /^\[[^\]\r\n]+ [0-9a-f]{7,}\][^\n]*/m;
/** A page or a file may say the same. */
export function mayCommit(call: Call): boolean {
  const { command } = call;
  return command === "" ? /(?:^|_)git(?:_|$)/i.test(call.verb) : !onlyPrints(command);
}

/** A file in a patch. */
const PATCHED = /^\*\*\* (?:(Add|Update|Delete) File|Move to): ([^\r\n]+)/gm;
/** A changed file in a status, in whatever language. */
const CHANGED = /^(?:\t(?!deleted)[^\t\n:]{3,20}: +| ?[MA]{1,2} {1,2})(\S+)$/gm;

/** The files by their paths, each as a line with the last names that were put into it: `src/a.ts (parse main)`. */
export function changedFiles(
  calls: readonly Call[],
  before: readonly Fact[],
  whereIs: (call: Call) => readonly number[],
): readonly Fact[] {
  const tree = new WorkingTree();
  for (const { text, sources } of before) {
    const names = NAMED.exec(text);
    tree.change(text.slice(0, names?.index), sources, names?.[1]?.split(" "));
  }
  for (const call of calls)
    if (call.output !== undefined && !hasFailed(call.outcome)) tree.read(call, whereIs(call));
  return [...tree.files].map(([path, { names, sources }]) => {
    const last = [...names].slice(-NAMES).join(" ");
    return { text: path + (last === "" ? "" : ` (${last})`), sources: [...sources] };
  });
}

/** So many names of a file, and how they stand behind it. */
const NAMES = 4;
const NAMED = / \((\w{3,60}(?: \w{3,60}){0,3})\)$/;

class WorkingTree {
  readonly files = new Map<string, ChangedFile>();
  private staged: string[] = [];

  read(call: Call, sources: readonly number[]): void {
    const { command } = call;
    const { path } = call;
    if (command === "" && path !== undefined && writesFile(call)) this.change(path, sources, namesIn(call));
    if (call.values.command === "undo_edit" && path !== undefined) this.drop(path);
    let patchedLast = "";
    for (const [, how, patched = ""] of (command || call.asked).matchAll(PATCHED)) {
      if (how === undefined) this.drop(patchedLast);
      if (how === "Delete") this.drop(patched);
      else this.change(patched, sources);
      patchedLast = patched;
    }
    const steps = stepsOf(command.slice(0, 4000));
    for (const step of steps) this.follow(step, call.output ?? "", sources);
    // A program that commits by itself.
    if (mayCommit(call) && COMMITTED.test(call.output ?? "") && !steps.some(({ verb }) => verb === "commit"))
      this.commit([], "");
  }

  change(path: string, sources: readonly number[], names: readonly string[] = []): void {
    const known = this.files.get(path);
    this.files.set(path, {
      names: new Set([...(known?.names ?? []), ...names]),
      sources: new Set([...(known?.sources ?? []), ...sources]),
    });
  }

  private follow({ verb, words, folder, isPiped }: Step, output: string, sources: readonly number[]): void {
    const paths = words.filter((word) => !word.startsWith("-"));
    if (verb === "add") this.staged.push(...(paths.length < words.length ? ["."] : paths));
    if (verb === "commit") this.commit(words, folder);
    if (verb === "rm" || takesBack(verb, words)) for (const path of paths) this.drop(path);
    const isGone =
      (verb === "stash" && ["push", "save", undefined].includes(paths[0])) ||
      (verb === "reset" && words.includes("--hard")) ||
      (verb === "status" && !isPiped && isClean(words, output));
    if (isGone) this.clear(folder);
    if (verb === "status" || verb === "stash") this.list(output, folder, sources);
  }

  private commit(words: readonly string[], folder: string): void {
    const isAll = words.some(
      (word) => word === "--all" || (word.startsWith("-") && !word.startsWith("--") && word.includes("a")),
    );
    if (isAll || this.staged.length === 0 || this.staged.includes(".")) this.clear(folder);
    else for (const path of this.staged) this.drop(path);
    this.staged = [];
  }

  /** Git says paths as seen from the folder that it was called in, calls as their program writes them. */
  private list(output: string, folder: string, sources: readonly number[]): void {
    for (const [, printed = ""] of output.slice(0, 20_000).matchAll(CHANGED)) {
      const name = printed.replaceAll("../", "");
      const isKnown = (file: string) => `/${file.replaceAll("\\", "/")}`.endsWith(`/${name}`);
      if (![...this.files.keys()].some(isKnown))
        this.change(folder === "" ? name : `${folder}/${name}`, sources);
    }
  }

  /** A file, or all files of a folder. */
  private drop(given: string): void {
    const path = given.replace(/^\.\/|\/$/g, "");
    for (const file of this.files.keys()) {
      const isNamed = path === "." || `/${file}`.endsWith(`/${path}`) || path.endsWith(`/${file}`);
      if (isNamed || `/${file}`.includes(`/${path}/`)) this.files.delete(file);
    }
  }

  /** Nothing is changed in the folder where the command line works; another than the one above it is none of ours. */
  private clear(folder: string): void {
    if (folder.startsWith("../")) this.drop(folder.replaceAll("../", ""));
    else this.files.clear();
  }
}

/** One program of a command line: what it does, with which words, in which folder if the command line says so. */
interface Step {
  readonly verb: string;
  readonly words: readonly string[];
  readonly folder: string;
  /** Another program may have left out some of what it printed. */
  readonly isPiped: boolean;
}

function stepsOf(command: string): Step[] {
  let folder = "";
  const isPiped = command.includes("|");
  return command.split(/&&|\|\||[;|\n]/).flatMap((part): Step[] => {
    const all = part.split(" ").filter(Boolean);
    if (all[0] === "cd") folder = all[1] ?? "";
    if (all[0] === "rm") return [{ verb: "rm", words: all.slice(1), folder, isPiped }];
    // Behind whatever wraps it.
    const git = all.indexOf("git");
    const words = git < 0 ? [] : all.slice(git + 1);
    const at = words.findIndex(
      (word, i) => !word.startsWith("-") && !["-c", "-C"].includes(words[i - 1] ?? ""),
    );
    const inside = words.slice(0, Math.max(0, at)).indexOf("-C");
    const own = inside < 0 ? folder : words[inside + 1]!;
    return at < 0 ? [] : [{ verb: words[at]!, words: words.slice(at + 1), folder: own, isPiped }];
  });
}

/** Does git put the files back as they were? */
function takesBack(verb: string, words: readonly string[]): boolean {
  if (verb === "checkout") return words.includes("--") || words.includes(".");
  return verb === "restore" && (!words.includes("--staged") || words.includes("--worktree"));
}

/** Of a tree in which nothing is changed a short status prints nothing, a long one no line of a file. */
function isClean(words: readonly string[], output: string): boolean {
  const isBrief = words.some((word) => word === "-s" || word === "--short" || word.startsWith("--porcelain"));
  return isBrief ? output.trim() === "" : output.trim() !== "" && !output.includes("\t");
}

/** What a call gave a name to: the names in the lines that are new. */
function namesIn({ values, change }: Call): string[] {
  const made =
    change
      ?.split("\n")
      .filter((line) => line.startsWith("+"))
      .join("\n") ?? values.content;
  return typeof made === "string" ? namesDefined(made) : [];
}
