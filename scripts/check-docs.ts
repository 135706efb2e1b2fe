/**
 * Checks that every link between files of this repository leads somewhere, and that those of README.md do so outside of a clone;
 * that README.md has the commands that .ci/run runs, that every source file a page names exists, that docs/README.md lists every
 * page, and that CONTRIBUTING.md has every folder of the code on its map, and none that is not there.
 */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { addressesIn, home, pathAtHome } from "./addresses.ts";
import { projectRoot } from "./listed-tests.ts";

const index = "docs/README.md";
const pages = globSync(["*.md", "docs/**/*.md", "examples/*.md"], { cwd: projectRoot });
const tracked = execFileSync("git", ["ls-files"], { cwd: projectRoot, encoding: "utf8" }).split("\n");
const faults: string[] = [];
const listed = new Set<string>();

for (const page of pages) {
  const text = readFileSync(join(projectRoot, page), "utf8");
  for (const link of addressesIn(text)) {
    const isRelative = !/^[a-z]+:/.test(link);
    const target = isRelative ? normalize(join(dirname(page), link)) : pathAtHome(link);
    if (target !== undefined && !existsSync(join(projectRoot, target)))
      faults.push(`${page} links to ${link}, which does not exist.`);
    if (page === index && target !== undefined) listed.add(target);
    const isOurs = isRelative || tracked.some((file) => file && link.endsWith(`/${file}`));
    if (page === "README.md" && isOurs && !link.startsWith(home))
      faults.push(`${page} links to ${link}, but package.json says that everybody finds it under ${home}.`);
  }
  const prose = text.replace(/```[\s\S]*?```/g, "");
  // A changelog tells of files as they were.
  if (page !== "CHANGELOG.md") faults.push(...missingSources(page, prose));
}
for (const page of pages.filter((path) => path.startsWith("docs/") && path !== index)) {
  if (!listed.has(page)) faults.push(`${index} does not list ${page}.`);
}

const readme = readFileSync(join(projectRoot, "README.md"), "utf8").split("\n");
const ci = readFileSync(join(projectRoot, ".ci/run"), "utf8");
for (const [, command] of ci.matchAll(/^step "README: (.*)"$/gm))
  if (!readme.includes(command!)) faults.push(`README.md does not show what .ci/run runs: ${command}`);

const folders = trackedFolders();
const mapped = mappedFolders();
for (const folder of folders)
  if (!mapped.has(folder)) faults.push(`CONTRIBUTING.md has no line for ${folder}/.`);
for (const folder of mapped)
  if (!folders.has(folder)) faults.push(`CONTRIBUTING.md names ${folder}/: there is none.`);

for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stderr.write(`${pages.length} pages, ${faults.length} faults\n`);
process.exitCode = faults.length > 0 ? 1 : 0;

/** Files in backquotes: `src/plan/plan.ts`, or `plan.ts` alone. One that is in no folder of src/, as `src/a.ts`, is an example. */
function missingSources(page: string, prose: string): readonly string[] {
  return [...prose.matchAll(/`((?:[a-z][a-z0-9-]*\/)*[a-z][a-z0-9.-]*\.tsx?)`/g)].flatMap(([, path = ""]) => {
    const isExample = dirname(path) === "src";
    const isThere = tracked.some((file) => file === path || file.endsWith(`/${path}`));
    return !isExample && !isThere ? [`${page} names ${path}, which does not exist.`] : [];
  });
}

/** The folders of the repository, and those of src/: `docs`, `src/plan`. */
function trackedFolders(): Set<string> {
  return new Set(tracked.flatMap((file) => /^(?:src\/[a-z-]+|[a-z-]+)(?=\/)/.exec(file)?.[0] ?? []));
}

/** A line of the map for each: those of src/ stand two spaces further in. */
function mappedFolders(): Set<string> {
  const map = readFileSync(join(projectRoot, "CONTRIBUTING.md"), "utf8");
  const lines = map.matchAll(/^ {4}( {2})?([a-z-]+)\/(?: |$)/gm);
  return new Set([...lines].map(([, inner, name]) => (inner ? `src/${name}` : name!)));
}
