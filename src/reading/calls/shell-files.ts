/** Files that a shell command touches, where the command itself makes it certain. */
import { type Action, actionAt, isChange, moveAction } from "./action.ts";
import { isFileName, joinPath } from "./file-path.ts";
import { patchActions } from "./patch-files.ts";
import { type SimpleCommand, splitShell, type Word } from "./shell-words.ts";

/** `rm a.ts && echo x > b.ts` → a.ts deleted, b.ts created. Nothing is said of loops, conditions and variables. */
export function shellFiles(script: string, folder = ""): readonly Action[] {
  if (script.includes("*** Begin Patch")) return patchActions(script);
  if (!mayTouchFiles(script.slice(0, 100_000))) return NONE;
  const actions: Action[] = [];
  let base: string | undefined = folder;
  for (const command of splitShell(script)) {
    const words = programWords(command.words);
    const program = words[0]?.text ?? "";
    if (CONTROL.has(program)) break;
    if (command.after === "||") continue;
    if (program === "cd" || program === "pushd") {
      const to = words[1];
      base = to?.literal && base !== undefined ? joinPath(base, to.text) : undefined;
    } else addActions(actions, command, words, base);
  }
  return actions;
}

/** `cd web && sed -n 1,80p a.ts; cat b.ts`: nothing but files is printed. */
export function printsFiles(script: string): boolean {
  if (!mayTouchFiles(script.slice(0, 100_000))) return false;
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
function mayTouchFiles(script: string): boolean {
  return MAYBE.test(script) && (!script.includes("|") || MAYBE.test(script.replace(PIPED, "")));
}

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
  const place = (word: Word): readonly string[] => {
    if (!word.literal || !isFileName(word.text) || /^(?:-$|\/dev\/)/.test(word.text)) return [];
    if (base === undefined && !isAbsolute(word.text)) return [];
    return [joinPath(base ?? "", word.text)];
  };
  actions.push(...programActions(command, words, place));
  for (const { to, append } of command.writes) {
    for (const path of place(to)) actions.push(actionAt(append ? "edit" : "create", path));
  }
}

const NONE: readonly Action[] = [];

/** Programs that touch the files they name. */
const PROGRAMS = new Set("rm unlink mv cp touch tee sed cat nl bat head tail".split(" "));

type Place = (word: Word) => readonly string[];

function programActions(command: SimpleCommand, words: readonly Word[], place: Place): readonly Action[] {
  const isGit = words[0]?.text === "git" && (words[1]?.text === "rm" || words[1]?.text === "mv");
  const program = isGit ? words[1]!.text : (words[0]?.text ?? "");
  if (!PROGRAMS.has(program)) return NONE;
  const rest = words.slice(isGit ? 2 : 1);
  const flags = rest.filter(({ text }) => /^-./.test(text)).map(({ text }) => text);
  const names = rest.filter(({ text }) => !/^-./.test(text));
  switch (program) {
    case "rm":
    case "unlink": {
      if (flags.includes("--cached")) return [];
      // `rm -f` forgives a name that is not there; `git rm -f` does not.
      const unsureFlag = isGit ? /^-\w*r|^--ignore-unmatch/ : /^-\w*[rRf]|^--(?:recursive|force)/;
      const unsure = command.forgiven || flags.some((flag) => unsureFlag.test(flag));
      return onEach(names, place, (path) => actionAt("delete", path, unsure || undefined));
    }
    case "mv":
    case "cp":
      return flags.some((flag) => /^-\w*[rRat]|^--/.test(flag)) && program === "cp"
        ? []
        : moved(program, names, place);
    case "touch":
      return onEach(names, place, (path) => actionAt("create", path));
    case "tee": {
      const kind = flags.some((flag) => flag === "-a" || flag === "--append") ? "edit" : "create";
      return onEach(names, place, (path) => actionAt(kind, path));
    }
    case "sed":
      return sedActions(command, rest, place);
    case "cat":
    case "nl":
    case "bat":
    case "head":
    case "tail":
      return command.forgiven ? [] : onEach(fileNames(rest), place, (path) => actionAt("read", path));
    default:
      return [];
  }
}

/** The names that are not the value of an option: `head -n 20 a.ts` → a.ts */
function fileNames(words: readonly Word[]): readonly Word[] {
  return words.filter(({ text }, index) => {
    const before = words[index - 1]?.text ?? "";
    return !/^[-+]./.test(text) && !(/^-[nc]$|^--(?:lines|bytes)$/.test(before) && /^[+-]?\d+/.test(text));
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
  return onEach(scripted ? names : names.slice(1), place, (path) => actionAt(kind, path));
}

function moved(program: string, names: readonly Word[], place: Place): readonly Action[] {
  const last = names.at(-1);
  if (names.length < 2 || !last?.literal) return [];
  const sources = names.slice(0, -1);
  return sources.flatMap((source): readonly Action[] => {
    const intoFolder =
      sources.length > 1 || /(?:^|\/)\.{0,2}$/.test(last.text) || isFolderFor(source.text, last.text);
    const name = source.text.split("/").pop() ?? "";
    const [from] = place(source);
    const [to] = place({ text: intoFolder ? joinPath(last.text, name) : last.text, literal: true });
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

function onEach(words: readonly Word[], place: Place, action: (path: string) => Action): readonly Action[] {
  return words.flatMap((word) => place(word).map(action));
}

function isAbsolute(path: string): boolean {
  return /^(?:[/~]|[A-Za-z]:)/.test(path);
}
