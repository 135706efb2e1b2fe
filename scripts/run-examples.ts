/** Runs every numbered example; each checks its own result and fails loudly. */
import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { projectRoot } from "./listed-tests.ts";

for (const file of globSync("examples/[0-9]*.ts", { cwd: projectRoot }).sort()) {
  process.stderr.write(`${file}\n`);
  execFileSync(process.execPath, [file], { cwd: projectRoot, stdio: "inherit" });
}
