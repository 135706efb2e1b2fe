/**
 * Runs every numbered example; each checks its own result and fails loudly. What an example prints must be the text block of
 * the page that its first comment names: "Its output stands in docs/agent-control.md."
 */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./listed-tests.ts";

/** Examples of adapters need the SDKs, which `npm run test:adapters` installs. */
const needsSdk = /^examples\/0[3-7]-/;
const hasSdks = existsSync(join(projectRoot, "test/adapters/node_modules"));

for (const file of globSync("examples/[0-9]*.ts", { cwd: projectRoot }).sort()) {
  const isAdapter = needsSdk.test(file);
  process.stderr.write(`${file}${isAdapter && !hasSdks ? ": SKIPPED, its SDK is not installed" : ""}\n`);
  if (isAdapter && !hasSdks) continue;
  const hooks = isAdapter ? ["--import", "./test/adapters/resolve-sdks.ts"] : [];
  const output = execFileSync(process.execPath, [...hooks, file], {
    cwd: projectRoot,
    encoding: "utf8",
    stdio: ["inherit", "pipe", "inherit"],
  });
  process.stdout.write(output);
  const page = /output stands in (docs\/\S+\.md)/.exec(read(file))?.[1];
  if (page && !textBlocks(page).includes(output.trimEnd())) {
    process.stderr.write(`${file}: what it prints is no text block of ${page}.\n`);
    process.exitCode = 1;
  }
}

function read(file: string): string {
  return readFileSync(join(projectRoot, file), "utf8");
}

/** A fence has more backticks than those inside of it. */
function textBlocks(page: string): readonly string[] {
  return [...read(page).matchAll(/^(`{3,})text\n([\s\S]*?)^\1$/gm)].map(([, , block = ""]) =>
    block.trimEnd(),
  );
}
