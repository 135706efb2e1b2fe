/** The patterns of the built engine, by name: in which file, in which constant or function, and the how manieth there. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseAst } from "vite";

export interface Pattern {
  /** `digest.DEFINES`, `digest.isMarked`, `outcome.RUNNERS.3` */
  readonly name: string;
  /** Below the package's folder. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** A regular expression as it stands, or a `new RegExp(…)` that is put together once; one that is made of another is none. */
export function patternsOf(folder: string): readonly Pattern[] {
  return globSync("dist/engine/**/*.js", { cwd: folder })
    .toSorted()
    .flatMap((file) => {
      const code = readFileSync(join(folder, file), "utf8");
      const found = namedPatterns(parseAst(code) as unknown as Node, "");
      return [...Map.groupBy(found, ({ owner }) => owner)].flatMap(([owner, nodes]) =>
        nodes.map(({ node: { start, end } }, at) => ({
          name: [basename(file, ".js"), owner, ...(nodes.length > 1 ? [at + 1] : [])]
            .filter(Boolean)
            .join("."),
          ...{ file, start, end },
          text: code.slice(start, end),
        })),
      );
    });
}

/** The pattern as one that finds nothing. */
export function withoutPattern(folder: string, { file, start, end, text }: Pattern): void {
  const path = join(folder, file);
  const code = readFileSync(path, "utf8");
  const flags = /\/([a-z]*)$/.exec(text)?.[1] ?? "";
  writeFileSync(path, `${code.slice(0, start)}/(?!)/${flags}${code.slice(end)}`);
}

function namedPatterns(
  value: unknown,
  owner: string,
): readonly { readonly owner: string; readonly node: Node }[] {
  if (value === null || typeof value !== "object") return [];
  const node = value as Node;
  if ("regex" in node) return [{ owner, node }];
  const made = node.type === "NewExpression" && (node.callee as { readonly name?: string }).name === "RegExp";
  if (made && /[A-Z]/.test(owner[0] ?? "")) return [{ owner, node }];
  const named = node.type === "VariableDeclarator" || node.type === "FunctionDeclaration";
  const own = named && owner === "" ? ((node.id as { readonly name?: string }).name ?? owner) : owner;
  return Object.values(node).flatMap((inner) => namedPatterns(inner, own));
}
