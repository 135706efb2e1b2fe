/**
 * Checks that no tracked file names a machine's own folders or a package registry's host, and that lock files have every
 * package for every platform, each with its integrity and none with an address.
 */
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

interface LockedPackage {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function lockFaults(file: string): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(projectRoot, file), "utf8")) as {
    packages: Readonly<Record<string, LockedPackage>>;
  };
  const places = Object.keys(packages);
  return Object.entries(packages).flatMap(([place, { integrity, resolved, optionalDependencies = {} }]) => {
    const absent = Object.keys(optionalDependencies).filter(
      (name) => !places.some((each) => each.endsWith(`node_modules/${name}`)),
    );
    return [
      ...(place && !integrity ? [`${file}: ${place} has no integrity`] : []),
      ...(resolved ? [`${file}: ${place} has an address`] : []),
      ...absent.map((name) => `${file}: ${name}, which ${place} may need on another platform, is not there`),
    ];
  });
}
const lockFiles = files.filter((file) => file.endsWith("package-lock.json"));
faults.push(...lockFiles.flatMap(lockFaults));

for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stderr.write(
  `${files.length} tracked files, ${lockFiles.length} of them lock files: ${faults.length} faults\n`,
);
process.exitCode = faults.length > 0 ? 1 : 0;
