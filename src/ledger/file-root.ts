/** The folder that most files of a ledger are in: said once, and left out of each line. */

/** The folder by which the most characters are saved; empty where none saves any. Only of paths from a root. */
export function commonFolder(paths: readonly string[]): string {
  const files = new Map<string, number>();
  for (const path of paths) {
    if (!/^(?:[/~\\]|[A-Za-z]:)/.test(path)) continue;
    for (let at = path.length - 1; at > 0; at--) {
      if (path[at] !== "/" && path[at] !== "\\") continue;
      const folder = path.slice(0, at);
      files.set(folder, (files.get(folder) ?? 0) + 1);
    }
  }
  let best = "";
  let saved = LEAST_CHARS;
  for (const [folder, count] of files) {
    const saves = count * (folder.length - MARK.length) - folder.length;
    if (count > 1 && saves > saved) [best, saved] = [folder, saves];
  }
  return best;
}

const MARK = "…";
/** What must be saved for the line above to be worth reading. */
const LEAST_CHARS = 16;

/** `("/home/me/app", "/home/me/app/src/a.ts")` → `…/src/a.ts`; a path elsewhere stays. */
export function withoutFolder(folder: string, path: string): string {
  const next = path[folder.length];
  const isInside = folder !== "" && path.startsWith(folder) && (next === "/" || next === "\\");
  return isInside ? MARK + path.slice(folder.length) : path;
}

/** The other way round. */
export function withFolder(folder: string, path: string): string {
  return folder !== "" && /^…[/\\]/.test(path) ? folder + path.slice(MARK.length) : path;
}

/** `… = /home/me/app`: it is above the lines that leave the folder out. */
export function folderLine(folder: string): string {
  return `${MARK} = ${folder}`;
}

export function readFolderLine(line: string): string | undefined {
  return line.startsWith(`${MARK} = `) ? line.slice(MARK.length + 3) : undefined;
}
