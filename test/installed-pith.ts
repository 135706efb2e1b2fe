/** Pith as npm puts it into somebody's project: compiled from the sources of now, beside its dependencies and nothing else. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

const projectRoot = join(import.meta.dirname, "..");

/** Gives back the folder of the installed package. */
export function installPith(project: string): string {
  const modules = join(project, "node_modules");
  const home = join(modules, "pith");
  mkdirSync(home, { recursive: true });
  copyFileSync(join(projectRoot, "package.json"), join(home, "package.json"));
  const compiler = join(projectRoot, "node_modules", "typescript", "bin", "tsc");
  const options = ["-p", join(projectRoot, "tsconfig.build.json"), "--outDir", join(home, "dist")];
  execFileSync(process.execPath, [compiler, ...options], { stdio: "inherit" });
  const { dependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(projectRoot, "node_modules", name), join(modules, name));
  }
  return home;
}
