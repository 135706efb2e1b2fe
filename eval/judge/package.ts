/** The judged package: this checkout's, or that of another commit. Only what is built is asked, by the names that users import. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { WireMessage } from "../measure/wire-message.ts";

export interface JudgedPackage {
  /** The head of its column. */
  readonly name: string;
  readonly folder: string;
}

/** As much of the library as is used here. */
interface Library {
  readonly createCompactor: (options: { readonly window: number; readonly clock: () => number }) => {
    readonly compact: (
      past: readonly WireMessage[],
      options: { readonly target: number; readonly state?: unknown },
    ) => Promise<{
      readonly messages: readonly WireMessage[];
      readonly report: { readonly error?: { readonly message: string } };
      readonly state: unknown;
    }>;
  };
  readonly isValid: (messages: readonly WireMessage[]) => boolean;
}

const root = join(import.meta.dirname, "../..");
export const cacheFolder = join(root, "node_modules/.cache/judge");

export function checkout(): JudgedPackage {
  return { name: "this checkout", folder: root };
}

/** Built once, with the packages that are installed here: dependencies that have changed since are not what it had. */
export function packageAt(commit: string): JudgedPackage {
  const id = git("rev-parse", "--verify", `${commit}^{commit}`).toString().trim();
  const folder = join(cacheFolder, id);
  if (!existsSync(folder)) build(id, folder);
  return { name: id.slice(0, 8), folder };
}

/** The compiler leaves out JSON in a folder of node_modules, so it works elsewhere. */
function build(id: string, folder: string): void {
  const work = mkdtempSync(join(tmpdir(), "pith-judge-"));
  try {
    const archive = git("archive", id, "src", "package.json", "tsconfig.json", "tsconfig.build.json");
    execFileSync("tar", ["-x", "-C", work], { input: archive });
    symlinkSync(join(root, "node_modules"), join(work, "node_modules"));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    execFileSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], { cwd: work, stdio: "inherit" });
    const half = `${folder}.half`;
    rmSync(half, { recursive: true, force: true });
    cpSync(join(work, "dist"), join(half, "dist"), { recursive: true });
    cpSync(join(work, "package.json"), join(half, "package.json"));
    renameSync(half, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function git(...parameters: readonly string[]): Buffer {
  return execFileSync("git", parameters, { cwd: root, maxBuffer: 2 ** 30 });
}

export async function loadPackage(folder: string): Promise<Library> {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    exports: Readonly<Record<string, { readonly default: string }>>;
  };
  const load = (name: string) => import(pathToFileURL(join(folder, exports[name]!.default)).href);
  const { createCompactor } = await load(".");
  const { validateRequest } = await load("./validate");
  return {
    createCompactor,
    isValid: (messages) => validateRequest(messages, { format: "openai-chat" }).valid,
  };
}
