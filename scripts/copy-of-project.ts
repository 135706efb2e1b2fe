/** copyOfProject: a folder in which sources may be changed to see whether the tests notice. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "./listed-tests.ts";

/** The sources and tests, with the installed packages and the recordings beside them as in the original. */
export function copyOfProject(): string {
  const parent = mkdtempSync(join(tmpdir(), "pith-mutate-"));
  const folder = join(parent, "project");
  mkdirSync(folder);
  for (const name of [
    "src",
    "test",
    "scripts",
    "examples",
    "docs",
    "package.json",
    "vitest.config.ts",
    "tsconfig.json",
  ]) {
    const from = join(projectRoot, name);
    if (existsSync(from)) cpSync(from, join(folder, name), { recursive: true });
  }
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
  const shared = join(projectRoot, "../shared");
  if (existsSync(shared)) symlinkSync(shared, join(parent, "shared"));
  return folder;
}
