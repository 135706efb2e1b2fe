/**
 * Agent programs from npm, unchanged, through the gateway on loopback: 200 turns of a scripted model that reads files, behind an
 * API that refuses what its rules forbid. Then the same session is continued.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Call, type Json, type Said, type Wire, wires } from "../gateway-wires.ts";
import { eventsOf, gatewayTo, type Received, speaking, startProvider, strict } from "../gateway-world.ts";

const TURNS = 200;
/** After it was continued. */
const MORE_TURNS = 15;
const modules = join(import.meta.dirname, "node_modules");
const programs = {
  claude: join(modules, "@anthropic-ai/claude-code/cli-wrapper.cjs"),
  codex: join(modules, "@openai/codex/bin/codex.js"),
};
const isInstalled = Object.values(programs).every(existsSync);
if (!isInstalled)
  console.warn("SKIPPED: the agent programs are not installed. `npm run test:agents` does that.");

const folder = mkdtempSync(join(tmpdir(), "pith-agents-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder with files to read, and a home of its own. */
function workplace(name: string): { readonly home: string; readonly work: string } {
  const [home, work] = [join(folder, name, "home"), join(folder, name, "work")];
  mkdirSync(home, { recursive: true });
  mkdirSync(work);
  for (let at = 0; at < TURNS + MORE_TURNS; at++) {
    const lines = Array.from(
      { length: 40 },
      (_, line) => `export const value${line} = "m${at}:${line * 37}";`,
    );
    writeFileSync(join(work, `m${at}.ts`), lines.join("\n"));
  }
  return { home, work };
}

/** Calls the program's own tool for reading until so many files are read; every 30th time it asks for what it read before. */
function reader(work: string): { readonly say: (request: Received) => Said; readonly goOn: () => void } {
  let wanted = TURNS;
  let read = 0;
  let recalls = 0;
  const say = ({ body }: Received): Said => {
    const tools = ((body.tools ?? []) as Json[]).map(({ name }) => String(name));
    if (tools.length === 0) return { text: "A title", calls: [] };
    if (tools.includes("recall_search") && read % 30 === 29 && recalls < Math.floor(read / 30) + 1) {
      recalls++;
      return {
        text: "",
        calls: [{ id: `own_${recalls}`, name: "recall_search", arguments: '{"query":"value3 of m2"}' }],
      };
    }
    if (read >= wanted) return { text: "All modules are read.", calls: [] };
    const file = join(work, `m${read++}.ts`);
    return { text: "", calls: [callFor(tools, file, `call_${read}`)] };
  };
  const goOn = (): void => {
    wanted += MORE_TURNS;
  };
  return { say, goOn };
}

function callFor(tools: readonly string[], file: string, id: string): Call {
  const given: Readonly<Record<string, unknown>> = {
    Read: { file_path: file },
    exec_command: { cmd: `cat ${file}` },
    shell_command: { command: `cat ${file}` },
    shell: { command: ["cat", file] },
  };
  const name = tools.find((tool) => tool in given);
  if (name === undefined) throw new Error(`No tool to read with: ${tools.join(", ")}`);
  return { id, name, arguments: JSON.stringify(given[name]) };
}

interface Run {
  readonly exitCode: number | null;
  readonly output: string;
}

function run(
  program: string,
  flags: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...flags], {
      cwd,
      env: { PATH: process.env.PATH ?? "", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    child.on("close", (exitCode) => resolve({ exitCode, output }));
  });
}

const PROMPT = "Read all modules, one after the other. Never edit generated.ts.";
const NEXT_PROMPT = "Now read the rest.";

interface Agent {
  readonly program: keyof typeof programs;
  readonly wire: Wire;
  readonly start: (url: string, place: ReturnType<typeof workplace>, isContinued: boolean) => Promise<Run>;
}

const claude: Agent = {
  program: "claude",
  wire: wires[1]!,
  start: (url, { home, work }, isContinued) => {
    const asked = isContinued ? ["-c", "-p", NEXT_PROMPT] : ["-p", PROMPT];
    return run(programs.claude, [...asked, "--allowedTools", "Read", "--max-turns", "300"], work, {
      HOME: home,
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "sk-ant-test",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    });
  },
};

const codex: Agent = {
  program: "codex",
  wire: wires[2]!,
  start: (url, { home, work }, isContinued) => {
    const provider = `{name="Pith",base_url="${url}/v1",env_key="OPENAI_API_KEY",wire_api="responses"}`;
    const settings = [
      'model="gpt-5.1-codex"',
      'model_provider="pith"',
      `model_providers.pith=${provider}`,
    ].flatMap((each) => ["-c", each]);
    const flags = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", ...settings];
    const asked = isContinued ? ["resume", ...flags, "--last", NEXT_PROMPT] : [...flags, PROMPT];
    return run(programs.codex, ["exec", ...asked], work, { HOME: home, OPENAI_API_KEY: "sk-test" });
  },
};

/** With the large window there is little to do: one compaction, near the end. */
const runs = [
  { ...claude, window: 40_000, compactions: 2 },
  { ...claude, window: 200_000, compactions: 1 },
  { ...codex, window: 60_000, compactions: 2 },
];

test.skipIf(!isInstalled).each(runs)(
  "$program works through the gateway, unchanged, for 200 turns and more, with a window of $window tokens",
  async ({ program, wire, start, window, compactions }) => {
    const name = `${program}-${window}`;
    const place = workplace(name);
    const { say, goOn } = reader(place.work);
    const provider = await startProvider(strict(speaking(say)));
    const gateway = await gatewayTo(provider.url, { window, archive: join(folder, `${name}.sqlite`) });
    const first = await start(gateway.url, place, false);
    goOn();
    const next = await start(gateway.url, place, true);
    await gateway.stop();
    await provider.close();
    for (const { exitCode, output } of [first, next])
      expect([exitCode, output.slice(-3_000)]).toEqual([0, expect.stringContaining("All modules are read.")]);
    const turns = provider.received.filter(
      ({ path, body }) => path.startsWith(wire.path) && body.tools !== undefined,
    );
    const requests = eventsOf(gateway, "request");
    expect(turns.length).toBeGreaterThan(TURNS + MORE_TURNS);
    expect(turns.flatMap(({ body }) => wire.faults(body))).toEqual([]);
    expect(requests.filter(({ status }) => Number(status) >= 400)).toEqual([]);
    const counted = (wanted: string) => requests.filter(({ outcome }) => outcome === wanted).length;
    expect(counted("compacted")).toBeGreaterThanOrEqual(compactions);
    expect(requests.filter(({ toolCalls }) => Number(toolCalls) > 0).length).toBeGreaterThanOrEqual(
      compactions,
    );
    // Once compacted, most turns only replay: the program's own habits do not hide the past from the gateway.
    expect(counted("replayed")).toBeGreaterThan(2 * counted("compacted"));
    expect(turns.at(-1)!.text).toContain("Never edit generated.ts.");
  },
  900_000,
);
