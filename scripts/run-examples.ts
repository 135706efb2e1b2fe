/** Runs every numbered example; each checks its own result and fails loudly. */
import { execFileSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
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
  execFileSync(process.execPath, [...hooks, file], { cwd: projectRoot, stdio: "inherit" });
}
