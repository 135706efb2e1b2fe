/** Lasting deeds: what no edit takes back, read from the command that was run and from what it answered. */
import { shortLine } from "./said.ts";
import { splitShell, type Word } from "./shell-words.ts";

export interface Lasting {
  /** The command's own words: `commit`, `push`, `pr create`, `npm publish`. */
  readonly name: string;
  /** What it is known by afterwards: a hash with its message, a branch, an address. */
  readonly what: string;
}

interface Row {
  /** How each command that matches opens: a look at this spares most rows. */
  readonly opens?: readonly string[];
  /** Matched on one command of a script, without quotes; the group `name` tells what it does. */
  readonly does: RegExp;
  /** The last word of that name is one of these: an expression with all of them takes longer to compile than it runs. */
  readonly verbs?: ReadonlySet<string>;
  /** Each match in the answer is one deed, and proves it; the group `what` tells which. */
  readonly answer?: RegExp;
  /** The answer says so even where a later command of the script failed. */
  readonly proves?: true;
  /** Where the answer does not tell. */
  readonly given?: RegExp;
}

const ROWS: readonly Row[] = [
  {
    opens: ["git "],
    does: /^git (?<name>commit)(?= |$)/,
    proves: true,
    answer: /^\[[^\]\n]{0,120}?(?<what>\b[0-9a-f]{7,40}\] .*)$/gm,
    given: / (?:-\w*m|--message)[ =](?:\$\(cat <<-?\s?\W?\w+\W?\s+)?(?<what>[^\n]+)/,
  },
  {
    opens: ["git "],
    does: /^git (?<name>push)(?= |$)/,
    proves: true,
    answer: /^.{0,60}?(?:[0-9a-f]{7,}\.{2,3}[0-9a-f]{7,}|\[new (?:branch|tag)\])\s+\S+\s+->\s+(?<what>\S+)/gm,
    given: /^git push(?: -\S+)* (?<what>[\w./ -]+)/,
  },
  {
    opens: ["git "],
    does: /^git (?:checkout -[bB]|switch -[cC]|worktree add)(?= )/,
    given: /^git (?<what>.+)/,
  },
  {
    opens: ["git "],
    does: /^git (?<name>merge|rebase|cherry-pick|revert|tag(?! --))(?= )/,
    given: /^git \S+ (?<what>.+)/,
  },
  {
    opens: ["git "],
    does: /^git (?<name>reset) (?=.*(?:--hard|--soft|~|\^))/,
    given: /^git reset (?<what>.+)/,
  },
  {
    opens: ["gh ", "glab "],
    does: /^(?:gh|glab) (?<name>(?:pr|mr|issue|release|repo|gist) [a-z]+)(?= |$)/,
    verbs: new Set("create merge close reopen comment edit review ready delete".split(" ")),
    answer: /(?<what>https?:\/\/[^\s"')\]]+)/g,
    given: /^\S+ \S+ \S+ (?<what>[\w#./-]+)/,
  },
  {
    opens: ["gh api "],
    // A look through GraphQL is given by fields, too.
    does: /^(?<name>gh api)(?= )(?:.* (?:-X|--method)[ =]?(?:POST|PUT|PATCH|DELETE) |(?=.* graphql )[\s\S]*=\s*mutation\b|(?!.* graphql )(?!.*(?:-X|--method)[ =]?GET).* (?:-[fF]|--(?:raw-)?field|--input)[ =])/,
    given: / (?:\/?repos\/[^/\s]+\/[^/\s]+\/)?(?<what>[\w-]+\/\S+)/,
  },
  {
    opens: ["curl "],
    does: /^(?<name>curl)(?= )(?!.*(?:localhost|127\.0\.0\.1)).* (?:-X|--request)[ =]?(?:POST|PUT|PATCH|DELETE)(?= |$)/,
    given: /(?<what>https?:\/\/\S+)/,
  },
  {
    does: /^(?!(?:git|cd|mkdir|rm|cp|mv|touch|cat|echo|grep|rg|ls|find|sed|awk|chmod|which) )(?<name>(?:[\w@][\w./:@-]* ){0,3}?(?:\S*\/)?(?:[\w-]+:)?(?:publish|deploy|migrate|apply|destroy|upload)(?::[\w-]+|\.sh)?)(?= |$)/,
  },
  {
    opens: ["docker ", "podman ", "gem ", "kubectl ", "helm "],
    does: /^(?<name>(?:docker|podman|gem) push|(?:kubectl|helm) (?:delete|install|upgrade|rollback|scale))(?= )/,
  },
];

/** Only tried, looked at or taken back. */
const NOTHING_DONE = new Set("--dry-run -n --help -h --abort --continue --skip --list -l --check".split(" "));
/** A commit that found nothing to do, or a push. */
const UNCHANGED = /^(?:nothing to commit|no changes added|Everything up-to-date|Already up to date)/m;
/** Before the verb: where git runs. */
const PLACE = /^git (?:(?:-[Cc] \S+|--no-pager) )+/;

/** Every row needs one of these; most commands have none, and need not be cut. */
const MAYBE =
  /\b(?:commit|push|checkout|switch|worktree|merge|rebase|cherry-pick|revert|tag|reset|gh|glab|curl|publish|deploy|migrate|apply|destroy|upload|kubectl|helm)\b/;

/** A failed script did what its answer proves, and no more. */
export function lastingIn(script: string, answer: string, failed: boolean): readonly Lasting[] {
  if (!MAYBE.test(script)) return NONE;
  let all = NONE;
  const commands = splitShell(script);
  for (let at = 0; at < commands.length; at++) {
    const { words, after } = commands[at]!;
    const lasting = after === "||" ? NONE : lastingBy(words, answer, failed);
    if (lasting.length > 0) all = all.length > 0 ? [...all, ...lasting] : lasting;
  }
  // Two commits of one script are both told by its answer.
  return all.length < 2 ? all : all.filter(isFirst);
}

function isFirst({ name, what }: Lasting, at: number, all: readonly Lasting[]): boolean {
  return at === all.findIndex((each) => each.name === name && each.what === what);
}

/** What one command of a script did. */
function lastingBy(words: readonly Word[], answer: string, failed: boolean): readonly Lasting[] {
  const written = words.map(({ text }) => text).join(" ");
  const command = written.startsWith("git -") ? written.replace(PLACE, "git ") : written;
  if (!MAYBE.test(command)) return NONE;
  const match = matchOf(command);
  if (match === undefined || (failed && !match.row.proves)) return NONE;
  if (words.some(({ text }) => NOTHING_DONE.has(text))) return NONE;
  const { row, told } = match;
  const name = told === "commit" && words.some(({ text }) => text === "--amend") ? "amend" : told;
  const proven = row.answer ? [...answer.matchAll(row.answer)].map(({ groups }) => groups!.what!) : [];
  if (proven.length > 0) return [...new Set(proven)].map((what) => ({ name, what: short(what) }));
  if (failed || UNCHANGED.test(answer)) return NONE;
  return [{ name, what: short(row.given?.exec(command)?.groups?.what ?? "") }];
}

/** The row of a command, with what it tells that the command does. */
function matchOf(command: string): { readonly row: Row; readonly told: string } | undefined {
  for (let at = 0; at < ROWS.length; at++) {
    const row = ROWS[at]!;
    const match = opensWith(command, row.opens) ? row.does.exec(command) : null;
    if (match === null) continue;
    const told = match.groups?.name ?? "branch";
    if (row.verbs === undefined || row.verbs.has(told.slice(told.indexOf(" ") + 1))) return { row, told };
  }
  return undefined;
}

function opensWith(command: string, openings: readonly string[] | undefined): boolean {
  return openings === undefined || openings.some((opening) => command.startsWith(opening));
}

export function isCommit({ name }: Lasting): boolean {
  return name === "commit" || name === "amend";
}

/** Reads `pr create https://…` back into what was done and what it is known by. */
export function lastingFrom(told: string): Lasting {
  const name = NAMES.exec(told)?.[0] ?? told;
  return { name, what: told.slice(name.length).trim() };
}

/** The names of rows that tell what is known; of the others the name is all. */
const NAMES =
  /^(?:commit|amend|push|branch|merge|rebase|cherry-pick|revert|tag|reset|gh api|curl|(?:pr|mr|issue|release|repo|gist) [a-z]+|[a-z]+(?:[_-][a-z]+)+(?= ))(?= |$)/;

/** A tool that acts on the world outside, by a word of its name; what works on files, lists and pages is told as that. */
export function actsForGood(tool: string): boolean {
  const words = tool
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z\d]+/g, "_")
    .toLowerCase()
    .split("_");
  return words.some((word) => ACTS.has(word)) && !words.some((word) => OWN_THINGS.has(word));
}

const ACTS = new Set(
  "create update delete remove cancel book reserve send reply post comment merge close publish deploy transfer refund exchange return modify assign submit order pay purchase schedule invite approve reject upload release".split(
    " ",
  ),
);
const OWN_THINGS = new Set(
  "file files dir directory folder path todo todos task tasks plan memory memories note notes browser page tab window terminal shell bash cell notebook entities relations observations".split(
    " ",
  ),
);

const NONE: readonly Lasting[] = [];
const MOST_WHAT = 64;

/** `a1b2c3d] fix: x` → `a1b2c3d fix: x`, without the mark between two deeds. */
function short(what: string): string {
  return shortLine(what.slice(0, 400).replace("] ", " ").replaceAll(";", ","), MOST_WHAT);
}
