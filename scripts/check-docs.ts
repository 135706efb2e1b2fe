/** Checks that every link between files of this repository leads somewhere, and that docs/README.md lists every page. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { projectRoot } from "./listed-tests.ts";

const index = "docs/README.md";
const pages = globSync(["*.md", "docs/**/*.md", "examples/*.md"], { cwd: projectRoot });
const faults: string[] = [];
const listed = new Set<string>();

for (const page of pages) {
  const prose = readFileSync(join(projectRoot, page), "utf8").replace(/```[\s\S]*?```/g, "");
  for (const [, link = ""] of prose.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)) {
    if (/^[a-z]+:/.test(link)) continue;
    const target = normalize(join(dirname(page), link));
    if (!existsSync(join(projectRoot, target)))
      faults.push(`${page} links to ${link}, which does not exist.`);
    if (page === index) listed.add(target);
  }
}
for (const page of pages.filter((path) => path.startsWith("docs/") && path !== index)) {
  if (!listed.has(page)) faults.push(`${index} does not list ${page}.`);
}

for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stderr.write(`${pages.length} pages, ${faults.length} faults\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
