/** Commands as a ledger tells them: on one line, and without the trimmings by which two runs of one command differ. */
import { shortLine } from "./said.ts";

/** A command on one line: white space made even, lines joined by `;`, the text that it feeds to a program left out. */
export function commandText(script: string): string {
  const start = script.slice(0, READ_CHARS);
  if (!start.includes("\n")) return shortLine(start.trim(), MAX_COMMAND);
  const told = start.includes("<<") ? withoutHeredocs(script) : start;
  const joined = told
    .replace(/\\\r?\n/g, " ")
    .trim()
    .replace(/\s*\r?\n\s*/g, "; ");
  return shortLine(joined, MAX_COMMAND);
}

/** What is fed to programs is left out, what is run before and after that stays: `cat > a.md <<'EOF' …` and then `send a.md`. */
function withoutHeredocs(script: string): string {
  let told = "";
  for (let from = 0; told.length < READ_CHARS; ) {
    const piece = script.slice(from, from + READ_CHARS);
    const line = HEREDOC_LINE.exec(piece);
    if (line === null) return told + piece;
    const opened = line.index + line[0].length;
    told += `${piece.slice(0, opened - 1)} …`;
    const end = endOfHeredocs(script, from + opened, line[0]);
    const rest = end < 0 ? "" : script.slice(end, end + READ_CHARS);
    if (rest.trim() === "") return told;
    // The end of what it is part of: `-m "$(cat <<'EOF' … )"`
    told += /^\s*\)/.test(rest) ? " " : "\n";
    from = end + (rest.length - rest.trimStart().length);
  }
  return told;
}

/** After all that one line feeds in, one after the other; -1 where it does not end. */
function endOfHeredocs(script: string, from: number, line: string): number {
  let at = from;
  for (const [, dash, , name] of line.matchAll(HEREDOC)) {
    // What was fed in before ended before the end of its line.
    const start = at === from ? at : script.indexOf("\n", at) + 1;
    at = start === 0 ? -1 : endOfHeredoc(script, start, name!, dash !== "");
    if (at < 0) return -1;
  }
  return at;
}

/** After the line that ends what is fed in, which is the name and nothing else; -1 where none does. */
function endOfHeredoc(script: string, from: number, name: string, mayIndent: boolean): number {
  for (let at = script.indexOf(name, from); at >= 0; at = script.indexOf(name, at + name.length)) {
    const end = at + name.length;
    // subtle: not to the start of the line, which may be a megabyte away, again and again.
    const before = script.slice(Math.max(from - 1, at - MOST_INDENT), at);
    const opensLine = mayIndent ? /\n\t*$/.test(before) : before.endsWith("\n");
    if (opensLine && /^(?:\r?\n|$)/.test(script.slice(end, end + 2))) return end;
  }
  return -1;
}

const MOST_INDENT = 40;

/** Not `<<<`, which feeds in the word itself. */
const OPENING = "(?<!<)<<(-?)[ \\t]*\\\\?(['\"]?)([A-Za-z_]\\w{0,40})\\2";
const HEREDOC = new RegExp(OPENING, "g");
const HEREDOC_LINE = new RegExp(`${OPENING}[^\\n]*\\n`);
const READ_CHARS = 4_000;
const MAX_COMMAND = 300;

/**
 * The command that a line is about, to tell it again when it is run with other trimmings:
 * `cd web && CI=1 npm test 2>&1 | tail -20` → `npm test`, `python -c "import a; a.run()"` → `python -c …`
 */
export function commandCore(command: string): string {
  if (command.endsWith("…")) return command;
  const step = tellingStep(command);
  const unpiped = step.includes("|") ? step.replace(PIPED, "") : step;
  const bare = unpiped.includes(">") ? unpiped.replace(REDIRECTED, "") : unpiped;
  const unset = bare.includes("=") ? bare.replace(/^(?:\w+=\S*\s+)+/, "") : bare;
  const core = unset.trim() || command;
  return MAY_BE_SCRIPT.test(core) ? core.replace(INLINE_SCRIPT, "$1 …") : core;
}

const PIPED = /\s+\|\s+(?:head|tail|grep|rg|less|cat|tee|sort|wc|sed|awk|cut|uniq|jq)\b.*$/;
const REDIRECTED = /\s*\d?>(?:&\d|>?\s*\/dev\/null)/g;

/** A script that was typed in is never run again word for word: the next one that works took its place. */
const INLINE_SCRIPT =
  /^((?:\S{0,200}\/)?(?:python[\d.]{0,5}|node|bun|deno|ruby|perl|php|pwsh|powershell)(?: -{1,2}[\w-]{1,30}){0,3} (?:-[ce]|-Command|eval|--eval)) .*$/s;

/** How those are given; most commands have none of it, and need not be looked at closely. */
const MAY_BE_SCRIPT = / (?:-[ce]|-Command|(?:--)?eval) /;

/** Steps that set the scene or speak of it. */
const SETTING = /^(?:cd|export|set|source|echo|printf|sleep|pushd|popd|true|exit)\b|^\w+=\S*$/;

/** The last step that neither sets the scene nor speaks of it; the whole command where there is none. */
function tellingStep(command: string): string {
  if (!command.includes("&&") && !command.includes(";")) return command;
  const steps = stepsOf(command);
  for (let at = steps.length - 1; at >= 0; at--) {
    const step = steps[at]!;
    if (/^[\w./~-]/.test(step) && !SETTING.test(step)) return step;
  }
  return command;
}

/** Cut at `&&` and `;` outside quotes. */
function stepsOf(command: string): readonly string[] {
  const steps: string[] = [];
  let from = 0;
  PIECE.lastIndex = 0;
  for (let piece = PIECE.exec(command); piece !== null; piece = PIECE.exec(command)) {
    if (piece[0] !== "&&" && piece[0] !== ";") continue;
    steps.push(command.slice(from, piece.index).trim());
    from = PIECE.lastIndex;
  }
  steps.push(command.slice(from).trim());
  return steps;
}

const PIECE = /"(?:\\.|[^"\\])*"|'[^']*'|&&|;|[^"';&]+|["'&]/g;

/** A command that only looks: that it finds nothing is an answer, not an error. */
export function onlyLooks(core: string): boolean {
  const command = core.startsWith("sudo ") ? core.slice("sudo ".length) : core;
  const program = /^\w+/.exec(command)?.[0] ?? "";
  if (program === "git") return GIT_LOOKS.some((name) => opensWith(command, `git ${name}`));
  return LOOKS.has(program) || opensWith(command, "sed -n") || /^\[\b/.test(command);
}

// Sets and not one expression for all: that takes longer to compile than it runs.
const LOOKS = new Set(
  "grep egrep rg ag ls find fd cat head tail which type command test stat file wc diff tree du pgrep".split(
    " ",
  ),
);
const GIT_LOOKS =
  "grep log show diff status branch rev-parse ls-files ls-remote check-ignore merge-base config blame".split(
    " ",
  );

/** With these words, and not with a longer one. */
function opensWith(command: string, words: string): boolean {
  return command.startsWith(words) && !/\w/.test(command.charAt(words.length));
}
