/** Told files: the lines about files, each with the names in it that a hand-off tells. */
import { fileKey } from "../ledger/file-path.ts";
import { commonFolder, folderLine, readFolderLine, withFolder, withoutFolder } from "../ledger/file-root.ts";
import type { FileFact } from "../ledger/ledger.ts";
import { fileLine, moreLine, readFileLine, readMoreLine, withNames } from "../ledger/ledger-lines.ts";

/** Names by the path of the file that they stand in. */
export type Outline = ReadonlyMap<string, readonly string[]>;

export interface ToldFiles {
  /** Whether a line is there for the file at this path. */
  readonly has: (path: string) => boolean;
  /** The lines with names; of a file that had no line, one more, and one less in the count of the rest. */
  readonly with: (outline: Outline) => readonly string[];
}

/** `lines` are the ledger's lines about files, `facts` all that it knows of files. */
export function toldFiles(lines: readonly string[], facts: readonly FileFact[]): ToldFiles {
  const folder = lines.map(readFolderLine).find((each) => each !== undefined) ?? "";
  const paths = lines.map((line) => withFolder(folder, readFileLine(line)?.path ?? ""));
  const places = new Map(paths.flatMap((path, at) => (path === "" ? [] : [[fileKey(path), at]])));
  const ends = new Map([...places].map(([key, at]) => [key.slice(key.lastIndexOf("/") + 1), { key, at }]));
  const known = new Map<string, number | undefined>();
  const lookUp = (path: string): number | undefined => {
    const key = fileKey(path);
    const other = ends.get(key.slice(key.lastIndexOf("/") + 1));
    return places.get(key) ?? (other?.key.endsWith(`/${key}`) ? other.at : undefined);
  };
  // It is asked for every name of a file.
  const placeOf = (path: string): number | undefined => {
    if (!known.has(path)) known.set(path, lookUp(path));
    return known.get(path);
  };
  const factOf = new Map(facts.map((fact) => [fileKey(fact.path), fact]));
  return {
    has: (path) => placeOf(path) !== undefined,
    with(outline) {
      if (outline.size === 0) return lines;
      const common = folder || commonFolder([...paths, ...outline.keys()]);
      const told = lines.map((line, at) =>
        folder === "" ? withoutFolder(common, paths[at]!) + line.slice(paths[at]!.length) : line,
      );
      const more: string[] = [];
      let counted = 0;
      for (const [path, names] of outline) {
        const place = placeOf(path);
        const fact = factOf.get(fileKey(path));
        const shown = withoutFolder(common, path);
        if (place !== undefined) told[place] = withNames(told[place]!, names);
        else more.push(withNames(fact ? fileLine({ ...fact, path: shown }) : shown, names));
        if (place === undefined && fact) counted++;
      }
      const rest = told.findIndex((line) => readMoreLine(line) > 0);
      const head = folder === "" && common !== "" ? [folderLine(common)] : [];
      if (rest < 0) return [...head, ...told, ...more];
      return [...head, ...told.slice(0, rest), ...more, ...lessCounted(told.slice(rest), counted)];
    },
  };
}

function lessCounted(lines: readonly string[], told: number): readonly string[] {
  let left = told;
  return lines.flatMap((line) => {
    const count = readMoreLine(line);
    const less = Math.min(left, count);
    left -= less;
    if (less === 0) return [line];
    return less === count ? [] : [moreLine(count - less, line.replace(/^… \d+ more /, ""))];
  });
}
