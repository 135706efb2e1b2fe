/** File paths as calls write them: joined, and compared by what they mean. */

/** A path seen from a folder; an absolute one stays. `("src", "../a.ts")` → `a.ts` */
export function joinPath(folder: string, path: string): string {
  if (folder === "" || /^(?:[/~\\]|[A-Za-z]:)/.test(path)) return path;
  return straighten(`${folder}/${path}`);
}

/** The same for all spellings of a path: `./a//b/../c.ts` → `a/c.ts`, `D:\x` → `D:/x`. */
export function fileKey(path: string): string {
  const slashed =
    path.includes("\\") && /^[A-Za-z]:\\|^[^/]*\\/.test(path) ? path.replaceAll("\\", "/") : path;
  // Most paths are straight: a dot or a slash at a joint is looked for only where one can be.
  const mayBend =
    slashed.startsWith(".") || slashed.includes("//") || slashed.includes("/.") || slashed.endsWith("/");
  return mayBend && /^\.{1,2}(?:\/|$)|\/\.{0,2}(?:\/|$)/.test(slashed) ? straighten(slashed) : slashed;
}

/** Whether a call's argument can be the name of a file: no address, no folder, no pattern, no text. */
export function isFileName(path: string): boolean {
  return (
    path.length > 0 &&
    path.length <= 1_000 &&
    !/[\n\0*]|^[a-z][\w+.-]+:\/\/|[/\\]$|^\.{1,2}$|^\s*$/i.test(path)
  );
}

function straighten(path: string): string {
  const root = path.startsWith("/") ? "/" : "";
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== ".." || root === "") parts.push(part);
  }
  return root + parts.join("/");
}
