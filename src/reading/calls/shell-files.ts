/** Files that a shell command touches, where the command itself makes it certain. */
import type { ActionKind } from "../agents/tool-vocabulary.ts";
import { type Action, actionAt, actionWith, isChange, moveAction } from "./action.ts";
import { isFileName, joinPath } from "./file-path.ts";
import { patchActions } from "./patch-files.ts";
import { type SimpleCommand, splitShell, type Word } from "./shell-words.ts";

/**
 * `rm a.ts && echo x > b.ts` → a.ts deleted, b.ts created. Nothing is said of loops, conditions and variables. `folderOf` tells where
 * the script runs; most touch no file, and need not be told.
 */
export function shellFiles(script: string, folderOf: () => string = NOWHERE): readonly Action[] {
  if (script.includes("*** Begin Patch")) return patchActions(script);
  return mayTouchFiles(script) ? filesByStep(script, folderOf()) : NONE;
}

function filesByStep(script: string, folder: string): readonly Action[] {
  const actions: Action[] = [];
  const gone = new Map<string, number>();
  const commands = splitShell(script);
  let base: string | undefined = folder;
  for (let at = 0; at < commands.length; at++) {
    const command = commands[at]!;
    const words = programWords(command.words);
    const program = words[0]?.text ?? "";
    if (CONTROL.has(program)) break;
    if (command.after === "||") continue;
    if (program === "cd" || program === "pushd") {
      const to = words[1];
      base = to?.literal && base !== undefined ? joinPath(base, to.text) : undefined;
    } else if (program === "mkdir") noteMade(actions, gone, words, placeFrom(base));
    else {
      const from = actions.length;
      addActions(actions, command, words, base);
      for (let added = from; added < actions.length; added++) {
        if (actions[added]!.kind === "delete") gone.set(actions[added]!.path!, added);
      }
    }
  }
  return actions;
}

/** `rm -rf site && mkdir -p site/a`: what was in it is gone, and it is there. `gone` tells which action deleted what. */
function noteMade(
  actions: Action[],
  gone: ReadonlyMap<string, number>,
  words: readonly Word[],
  place: Place,
): void {
  if (gone.size === 0) return;
  for (const word of words.slice(1)) {
    // With a folder those that it is in are there, too.
    for (let folder = place(word) ?? ""; folder !== ""; folder = folder.slice(0, folder.lastIndexOf("/"))) {
      const at = gone.get(folder);
      if (at !== undefined) actions[at] = actionWith(actions[at]!, { remade: true });
      if (!folder.includes("/")) break;
    }
  }
}

/** `cd web && sed -n 1,80p a.ts; cat b.ts`: nothing but files is printed. */
export function printsFiles(script: string): boolean {
  if (!mayTouchFiles(script)) return false;
  const programs = splitShell(script).map(({ words }) => programWords(words)[0]?.text ?? "");
  const printing = programs.filter((program) => program !== "cd");
  return (
    printing.length > 0 &&
    printing.every((program) => PRINTERS.has(program)) &&
    !shellFiles(script).some(isChange)
  );
}

const PRINTERS = new Set(["cat", "nl", "bat", "head", "tail", "sed"]);

/** Most commands name no program that touches files, or only one at the end of a pipe, and need not be cut into words. */
function mayTouchFiles(whole: string): boolean {
  const script = whole.length > MAX_CHARS ? whole.slice(0, MAX_CHARS) : whole;
  return MAYBE.test(script) && (!script.includes("|") || MAYBE.test(script.replace(PIPED, "")));
}

const MAX_CHARS = 100_000;
const NOWHERE = () => "";

/** `| head -20`: without the name of a file. */
const PIPED = /\|\s*(?:head|tail|cat|nl)(?:\s+-[\w=+-]+(?:\s+\d+)?)*\s*(?=$|[|&;\n])/g;
/** What goes to another stream or to nowhere touches no file. */
const MAYBE = />(?!&\d|\s?\/dev\/null)|\b(?:rm|mv|cp|touch|tee|sed|cat|head|tail|nl|bat|unlink)\b/;
const CONTROL = new Set(["if", "for", "while", "until", "case", "select", "function", "!", "popd"]);
const WRAPPERS = new Set(["sudo", "command", "time", "nohup", "env", "then", "do", "{"]);

/** Without what is before the program: assignments, `sudo`, `time`. */
function programWords(words: readonly Word[]): readonly Word[] {
  let first = 0;
  while (first < words.length && isBeforeProgram(words[first]!.text)) first++;
  return first === 0 ? words : words.slice(first);
}

function isBeforeProgram(word: string): boolean {
  return WRAPPERS.has(word) || (word.includes("=") && /^[A-Za-z_]\w*=/.test(word));
}

function addActions(
  actions: Action[],
  command: SimpleCommand,
  words: readonly Word[],
  base: string | undefined,
): void {
  const program = fileProgram(words);
  if (program === undefined && command.writes.length === 0) return;
  const place = placeFrom(base);
  if (program !== undefined) actions.push(...programActions(program, command, words, place));
  for (const { to, append } of command.writes) {
    const path = place(to);
    if (path !== undefined) actions.push(actionAt(append ? "edit" : "create", path));
  }
}

const NONE: readonly Action[] = [];

/** Programs that touch the files they name. */
const PROGRAMS = new Set("rm unlink mv cp touch tee sed cat nl bat head tail".split(" "));

/** Where a word points to, if it names a file. */
type Place = (word: Word) => string | undefined;

/** Seen from that folder; from one that is not known only where the word says all. */
function placeFrom(base: string | undefined): Place {
  return (word) => {
    if (!word.literal || !isFileName(word.text) || word.text === "-" || word.text.startsWith("/dev/")) {
      return undefined;
    }
    if (base === undefined && !isAbsolute(word.text)) return undefined;
    return joinPath(base ?? "", word.text);
  };
}

/** The program that touches files, if it is one: `rm`, also of `git rm`. */
function fileProgram(words: readonly Word[]): string | undefined {
  const first = words[0]?.text;
  if (first === "git") return words[1]?.text === "rm" || words[1]?.text === "mv" ? words[1].text : undefined;
  return first !== undefined && PROGRAMS.has(first) ? first : undefined;
}

function programActions(
  program: string,
  command: SimpleCommand,
  words: readonly Word[],
  place: Place,
): readonly Action[] {
  const isGit = words[0]!.text === "git";
  const rest = words.slice(isGit ? 2 : 1);
  if (program === "sed") return sedActions(command, rest, place);
  if (PRINTERS.has(program)) return command.forgiven ? NONE : onEach(fileNames(rest), place, "read");
  const flags = rest.filter(isFlag).map(({ text }) => text);
  const names = rest.filter((word) => !isFlag(word));
  switch (program) {
    case "rm":
    case "unlink": {
      if (flags.includes("--cached")) return [];
      // `rm -f` forgives a name that is not there; `git rm -f` does not.
      const unsureFlag = isGit ? /^-\w*r|^--ignore-unmatch/ : /^-\w*[rRf]|^--(?:recursive|force)/;
      const unsure = command.forgiven || flags.some((flag) => unsureFlag.test(flag));
      return onEach(names, place, "delete", unsure || undefined);
    }
    case "mv":
    case "cp":
      return flags.some((flag) => /^-\w*[rRat]|^--/.test(flag)) && program === "cp"
        ? []
        : moved(program, names, place);
    case "touch":
      return onEach(names, place, "create");
    case "tee":
      return onEach(names, place, flags.includes("-a") || flags.includes("--append") ? "edit" : "create");
    default:
      return NONE;
  }
}

function isFlag({ text }: Word): boolean {
  return text.startsWith("-") && /^-./.test(text);
}

/** The names that are not the value of an option: `head -n 20 a.ts` → a.ts */
function fileNames(words: readonly Word[]): readonly Word[] {
  return words.filter(({ text }, index) => {
    const before = words[index - 1]?.text ?? "";
    if (/^[-+]./.test(text)) return false;
    return !before.startsWith("-") || !/^-[nc]$|^--(?:lines|bytes)$/.test(before) || !/^\d/.test(text);
  });
}

function sedActions(command: SimpleCommand, words: readonly Word[], place: Place): readonly Action[] {
  const inPlace = words.some(({ text }) => /^(?:-[nErs]*i|--in-place)/.test(text));
  if (!inPlace && (command.forgiven || !words.some(({ text }) => /^-[nErs]*n/.test(text)))) return [];
  const scripted = words.some(({ text }) => /^(?:-[nErs]*e|--expression)/.test(text));
  const names = words.filter(({ text }, index) => {
    const before = words[index - 1]?.text ?? "";
    return text !== "" && !text.startsWith("-") && !/^(?:-[nErs]*e|--expression|-f)$/.test(before);
  });
  const kind = inPlace ? "edit" : "read";
  return onEach(scripted ? names : names.slice(1), place, kind);
}

function moved(program: string, names: readonly Word[], place: Place): readonly Action[] {
  const last = names.at(-1);
  if (names.length < 2 || !last?.literal) return [];
  const sources = names.slice(0, -1);
  return sources.flatMap((source): readonly Action[] => {
    const intoFolder =
      sources.length > 1 || /(?:^|\/)\.{0,2}$/.test(last.text) || isFolderFor(source.text, last.text);
    const name = source.text.split("/").pop() ?? "";
    const from = place(source);
    const to = place({ text: intoFolder ? joinPath(last.text, name) : last.text, literal: true });
    if (from === undefined || to === undefined || name === "") return [];
    if (program === "cp") return [actionAt("create", to)];
    return [moveAction(from, to, isMaybeFolder(name) || undefined)];
  });
}

/** `mv src lib`: a name without an ending is as likely a folder's. */
function isMaybeFolder(name: string): boolean {
  return !/.\.\w+$/.test(name);
}

/** `mv a.ts src`: a name with an ending goes into one without. */
function isFolderFor(source: string, target: string): boolean {
  return /\.\w+$/.test(source) && !/\.\w+$/.test(target);
}

function onEach(words: readonly Word[], place: Place, kind: ActionKind, ifKnown?: true): readonly Action[] {
  const actions: Action[] = [];
  for (let at = 0; at < words.length; at++) {
    const path = place(words[at]!);
    if (path !== undefined) actions.push(actionAt(kind, path, ifKnown));
  }
  return actions;
}

function isAbsolute(path: string): boolean {
  return /^(?:[/~]|[A-Za-z]:)/.test(path);
}
