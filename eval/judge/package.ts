/** The judged package: this checkout's, or that of another commit. Only what is built is asked, by the names that users import. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
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
      options: { readonly target: number },
    ) => Promise<{
      readonly messages: readonly WireMessage[];
      readonly report: { readonly error?: { readonly message: string } };
    }>;
  };
  readonly isValid: (messages: readonly WireMessage[]) => boolean;
}

const root = join(import.meta.dirname, "../..");
export const cacheFolder = join(root, "node_modules/.cache/judge");

export function checkout(): JudgedPackage {
  return { name: "this checkout", folder: root };
}

/** Its sources, built once; it is run with the packages that are installed here. */
export function packageAt(commit: string): JudgedPackage {
  const git = (...parameters: readonly string[]) =>
    execFileSync("git", parameters, { cwd: root, maxBuffer: 2 ** 30, stdio: ["ignore", "pipe", "pipe"] });
  const id = git("rev-parse", "--verify", `${commit}^{commit}`).toString().trim();
  const folder = join(cacheFolder, id);
  const built = { name: id.slice(0, 8), folder };
  if (existsSync(join(folder, "dist/built"))) return built;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const sources = ["src", "package.json", "tsconfig.json", "tsconfig.build.json"];
  execFileSync("tar", ["-x", "-C", folder], { input: git("archive", id, ...sources) });
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], { cwd: folder, stdio: "inherit" });
  mkdirSync(join(folder, "dist/built"));
  return built;
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
