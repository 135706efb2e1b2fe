/** Checks that no tracked file names a machine's own folders or a package registry's host. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./listed-tests.ts";

/** Recordings are shown as they were published, with the paths of the machines they were made on. */
const recorded = /^(examples\/[^/]+\.json|test\/fixtures\/.*|test\/golden\/.*\.txt)$/;
const self = "scripts/check-tracked-files.ts";
const unwanted = [
  /(?<![\w.])\/work\//,
  /(?<![\w.])\/root\//,
  /https?:\/\/[^\s"']*(?:registry|verdaccio|artifactory)[^\s"']*/i,
];

const files = execFileSync("git", ["ls-files", "-z"], { cwd: projectRoot, encoding: "utf8" })
  .split("\0")
  .filter(Boolean);
const faults = files
  .filter((file) => file !== self && !recorded.test(file))
  .flatMap((file) => {
    const lines = readFileSync(join(projectRoot, file), "utf8").split("\n");
    return lines.flatMap((line, index) =>
      unwanted.some((pattern) => pattern.test(line))
        ? [`${file}:${index + 1}: ${line.trim().slice(0, 120)}`]
        : [],
    );
  });

for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stderr.write(
  `${files.length} tracked files, ${faults.length} lines that name a machine or a registry\n`,
);
process.exitCode = faults.length > 0 ? 1 : 0;
