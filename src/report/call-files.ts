/** Call files: which file a call shows, and which it changes. */
import { type Call, writesFile } from "../engine/calls.ts";

/** The file that a call shows whole or in part; of a command nobody knows what it printed. */
export function fileShown(call: Call): string | undefined {
  const isRead = SHOWS.test(call.verb) || call.values.command === "view";
  return isRead && call.command === "" && !writesFile(call) ? call.path : undefined;
}

/** The files that a call changes or takes away when it goes well. */
export function filesChanged(call: Call): readonly string[] {
  const { command } = call;
  if (command !== "") return changedBy(command.slice(0, MOST_READ));
  const file = writesFile(call) || DELETES.test(call.verb) ? call.path : undefined;
  return file === undefined ? [] : [file];
}

/** `Read`, `read_file`, `fs.readTextFile`, `view_file`; not `spreadsheet`. */
const SHOWS = /(?:^|[^A-Za-z])(?:[Rr]ead|[Vv]iew|[Oo]pen|[Cc]at|get_file)(?![a-z])|[a-z]Read(?![a-z])/;
const DELETES = /^(?:delete|remove|move|rename)_?file/i;

const MOST_READ = 4_000;
/** Programs that change the files they are given, and what a shell writes its output into. */
const CHANGES = /^\s*(?:sudo\s+)?(?:rm|mv|cp|tee|truncate|sed\s+-i\S*|git\s+(?:rm|mv|checkout|restore))\s/;
const INTO = />>?\s*([^\s;&|<>()]+)/g;

/** What stands between the programs of a command line; a bare `|` may be part of what one is given. */
const BETWEEN = /&&|\|\||;|\n|\s\|\s/;

/** As they are written, and in the folder that the command line begins in. */
function changedBy(command: string): readonly string[] {
  const folder = /^\s*cd\s+([^\s;&|]+)/.exec(command)?.[1];
  const written = [...command.matchAll(INTO)].map(([, file]) => file!);
  const given = command
    .split(BETWEEN)
    .filter((part) => CHANGES.test(part))
    .flatMap((part) => part.trim().split(/\s+/).slice(1));
  const files = [...written, ...given].map((word) => word.replace(/^["']|["']$/g, ""));
  return folder === undefined ? files : files.flatMap((file) => [file, `${folder}/${file}`]);
}
