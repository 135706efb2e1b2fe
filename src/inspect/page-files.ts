/** Page files: the built page, read once. It is beside this file in the package, and in dist/ when run from the source. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { OptionsError } from "../errors/options-error.ts";

export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
}

/** By their paths below the page, such as "index.html" and "assets/index-0a1b.js". */
export type PageFiles = ReadonlyMap<string, PageFile>;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
};

/** Throws OptionsError where the page was not built. */
export function readPageFiles(): PageFiles {
  const folder = [new URL("./page/", import.meta.url), new URL("../../dist/inspect/page/", import.meta.url)]
    .map((url) => fileURLToPath(url))
    .find((each) => existsSync(join(each, "index.html")));
  if (folder === undefined)
    throw new OptionsError(
      "inspect",
      "The inspector's page is not there. In a checkout, build it: npm run build.",
    );
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return new Map(
    names.flatMap((name) => {
      const type = TYPES[extname(name)];
      if (type === undefined) return [];
      return [[name.replaceAll("\\", "/"), { type, bytes: readFileSync(join(folder, name)) }] as const];
    }),
  );
}
