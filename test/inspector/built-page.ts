/** builtPage: sees to it that dist/ has the page as its source is now, so that no test looks at an old one. */
import { globSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

const root = join(import.meta.dirname, "../..");
export const pageFolder = join(root, "dist/inspect/page");

export async function buildPage(): Promise<void> {
  const source = Math.max(
    ...globSync("inspector/**", { cwd: root }).map((file) => changedAt(join(root, file))),
  );
  if (changedAt(join(pageFolder, "index.html")) > source) return;
  const outDir = `${pageFolder}-${process.pid}`;
  await build({
    configFile: join(root, "inspector/vite.config.ts"),
    logLevel: "error",
    build: { outDir },
  });
  // Several processes may do this at once: file by file, each whole, and all of them the same.
  mkdirSync(pageFolder, { recursive: true });
  for (const name of readdirSync(outDir).toSorted(indexLast))
    renameSync(join(outDir, name), join(pageFolder, name));
  rmSync(outDir, { recursive: true });
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function indexLast(one: string, other: string): number {
  return Number(one === "index.html") - Number(other === "index.html");
}
