/** The `pith` program as a shell sees it: stdout, stderr, exit codes and files. */
import { spawn } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inTemporaryFolder, program, runPith } from "./run-pith.ts";

const example = join(import.meta.dirname, "../examples/coding-session.json");
const exampleText = readFileSync(example, "utf8");

test.concurrent("compacts a file to stdout, and tells people about it on stderr only", async () => {
  const { exitCode, stdout, stderr } = await runPith(["compact", example, "--target", "30%"]);
  expect(exitCode).toBe(0);
  expect(stdout.length).toBeLessThan(exampleText.length / 2);
  expect(JSON.parse(stdout).at(-1)).toEqual(JSON.parse(exampleText).at(-1));
  expect(stderr).toMatch(/before/i);
  expect(stderr).toMatch(/after/i);
});

test.concurrent("reads stdin when no file is named, and when it is named -", async () => {
  const parameters = ["--target", "20%"];
  const runs = await Promise.all([
    runPith(["compact", ...parameters], { input: exampleText }),
    runPith(["compact", "-", ...parameters], { input: exampleText }),
    runPith(["compact", example, ...parameters]),
  ]);
  expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  expect(runs[0]!.stdout).toBe(runs[2]!.stdout);
  expect(runs[1]!.stdout).toBe(runs[2]!.stdout);
});

test.concurrent("gives back the very bytes when nothing is due", async () => {
  const odd = '\uFEFF[ {"role": "user", "content":"h\\u0069", "n": 12345678901234567890, "x": 1.0} ]\n\n';
  const { exitCode, stdout } = await runPith(["compact", "--window", "100000"], { input: odd });
  expect(exitCode).toBe(0);
  expect(stdout).toBe(odd);
});

test.concurrent("writes the conversation with -o, the report with --report, and appends the session log", async () => {
  await inTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, "log.md"), "# Session\n");
    const files = ["-o", "out.json", "--report", "report.json", "--session-log", "log.md"];
    const { exitCode, stdout, stderr } = await runPith(["compact", example, "--target", "30%", ...files], {
      folder,
    });
    expect(stderr).not.toMatch(/error/i);
    expect(exitCode).toBe(0);
    expect(stdout).toBe("");
    const report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8"));
    expect(report.tokensAfter).toBeLessThanOrEqual(0.3 * report.tokensBefore);
    expect(report.archive).toBe("none");
    expect(JSON.parse(readFileSync(join(folder, "out.json"), "utf8"))).toHaveLength(report.messagesAfter);
    expect(readFileSync(join(folder, "log.md"), "utf8")).toMatch(
      /^# Session\n[\s\S]*Summarized \d+ messages → 1 summary/,
    );
    expect(readdirSync(folder).sort()).toEqual(["log.md", "out.json", "report.json"]);
  });
});

test.concurrent("prints one JSON object with --json", async () => {
  const { stdout } = await runPith(["compact", example, "--target", "30%", "--json"]);
  const { messages, report } = JSON.parse(stdout);
  expect(messages).toHaveLength(report.messagesAfter);
  await inTemporaryFolder(async (folder) => {
    const input = `\n${JSON.stringify({ model: "gpt-4o", messages: JSON.parse(readFileSync(example, "utf8")) })}`;
    const request = await runPith(["compact", "-", "--target", "30%", "--json"], { folder, input });
    expect(JSON.parse(request.stdout).body).toMatchObject({ model: "gpt-4o", messages });
    const run = await runPith(["compact", example, "--target", "30%", "--json", "-o", "out.json"], {
      folder,
    });
    expect(Object.keys(JSON.parse(run.stdout))).toEqual(["report"]);
    expect(existsSync(join(folder, "out.json"))).toBe(true);
  });
});

test.concurrent("--dry-run prints the plan and writes nothing", async () => {
  await inTemporaryFolder(async (folder) => {
    const dryRun = await runPith(["compact", example, "--target", "30%", "--dry-run", "-o", "out.json"], {
      folder,
    });
    const plan = await runPith(["plan", example, "--target", "30%"]);
    expect(dryRun.exitCode).toBe(0);
    expect(dryRun.stdout).toBe(plan.stdout);
    expect(plan.stdout).toMatch(/hand-off|trim|shape/);
    expect(readdirSync(folder)).toEqual([]);
  });
});

test.concurrent("plan --json prints the plan as a value", async () => {
  const { exitCode, stdout } = await runPith(["plan", example, "--target", "5000", "--json"]);
  expect(exitCode).toBe(0);
  const plan = JSON.parse(stdout);
  expect(plan.targetTokens).toBe(5000);
  expect(plan.tokensAfter).toBeLessThanOrEqual(5000);
  expect(plan.steps.length).toBeGreaterThan(0);
});

test.concurrent.each([
  [["--target", "5k"], 5000],
  [["--target", "5,000"], 5000],
  [["--target", "0.005m"], 5000],
  [["--target", "30 %"], 10_425],
  [["--target", "30", "%"], 10_425],
  [["--target=30%"], 10_425],
] as const)("a size is taken as people write it: %j", async ([...flags], tokens) => {
  const { exitCode, stdout } = await runPith(["plan", example, ...flags, "--json"]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).targetTokens).toBe(tokens);
});

test.concurrent("so are windows, reserves and the lengths of summaries, of the gateway too", async () => {
  const flags = ["--window", "128k", "--reserve", "4,096", "--summary-tokens", "1.5k", "--memory", "1,536m"];
  const upstream = ["--upstream", "https://api.openai.com"];
  const { exitCode, stdout } = await runPith(["doctor", ...flags, ...upstream, "--json"]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    settings: { window: 128_000, reserve: 4096, summaryTokens: 1500 },
    gateway: { window: 128_000, reserve: 4096, summaryTokens: 1500, memoryBytes: 1.5 * 1024 ** 3 },
  });
  for (const wrong of ["1.5", "5,00", "12x", "-5k"]) {
    const run = await runPith(["doctor", "--window", wrong]);
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toContain("such as --window 128000 or 128k");
  }
});

test.concurrent("doctor says what it found and what the flags come to", async () => {
  const { exitCode, stdout } = await runPith(["doctor", "--window", "64000", "--preset", "gptme"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(process.version);
  expect(stdout).toContain("o200k_base: loads");
  expect(stdout).toContain("cl100k_base: loads");
  expect(stdout).toContain("\n  a compaction leaves a request of 35% of the window\n");
  const own = await runPith(["doctor"]);
  expect(own.stdout).toContain("\n  a compaction at 75% leaves 47% of the messages; ");
  const huge = await runPith(["doctor", "--window", "1000000"]);
  expect(huge.stdout).toContain("\n  at 75% of the budget, here 256,000 tokens: hand-off\n");
  const counting = await runPith(["doctor", "--preset", "factor3"]);
  expect(counting.stdout).toMatch(/\n {2}at 50% of the window, or more than \d+ messages: hand-off\n/);
  const model = await runPith(["doctor", "--model", "gpt-4o"]);
  expect(model.stdout).toMatch(/\n {2}window +128000\n/);
  const json = await runPith(["doctor", "--preset", "synthorg+degraded", "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    node: process.version,
    settings: { preset: "synthorg+degraded", archive: "none" },
    policy: { name: "synthorg+degraded" },
  });
});

test.concurrent("every command has a help text with examples, and the version prints", async () => {
  const helps = await Promise.all(
    ["compact", "plan", "doctor"].map((command) => runPith([command, "--help"])),
  );
  for (const { exitCode, stdout } of helps) {
    expect(exitCode).toBe(0);
    expect(stdout).toContain("Examples:");
  }
  const { stdout } = await runPith(["--version"]);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.concurrent("never writes over its input, by whatever name it is called", async () => {
  await inTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, "in.json"), exampleText);
    symlinkSync("in.json", join(folder, "link.json"));
    linkSync(join(folder, "in.json"), join(folder, "hard.json"));
    const attempts = [
      ["in.json", "-o", "in.json"],
      ["in.json", "-o", `./../${folder.split("/").at(-1)}/in.json`],
      ["in.json", "-o", "link.json"],
      ["link.json", "-o", "in.json"],
      ["in.json", "-o", "hard.json"],
      ["in.json", "--report", "in.json"],
      ["in.json", "--session-log", "in.json"],
      ["in.json", "-o", "same.json", "--report", "same.json"],
    ];
    for (const attempt of attempts) {
      const { exitCode, stderr } = await runPith(["compact", ...attempt, "--target", "30%"], { folder });
      expect([attempt, exitCode]).toEqual([attempt, 2]);
      expect(stderr).toMatch(/Name another file/);
    }
    expect(readFileSync(join(folder, "in.json"), "utf8")).toBe(exampleText);
    expect(readdirSync(folder).sort()).toEqual(["hard.json", "in.json", "link.json"]);
  });
});

test.concurrent("an existing output file is replaced whole, through a link and with its permissions", async () => {
  await inTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, "real.json"), "old");
    chmodSync(join(folder, "real.json"), 0o600);
    symlinkSync("real.json", join(folder, "link.json"));
    const { exitCode } = await runPith(["compact", example, "--target", "30%", "-o", "link.json"], {
      folder,
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, "real.json"), "utf8")).length).toBeGreaterThan(1);
    expect(statSync(join(folder, "real.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(["link.json", "real.json"]);
  });
});

test.concurrent("a failure leaves every file as it was, and the session log hears of it", async () => {
  await inTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, "out.json"), "old");
    const files = ["-o", "out.json", "--report", "report.json", "--session-log", "log.md"];
    const unreachable = await runPith(["compact", example, "--target", "3", ...files], { folder });
    expect(unreachable.exitCode).toBe(3);
    expect(unreachable.stderr).toMatch(/floor of \d+/);
    const noFolder = await runPith(
      ["compact", example, "--target", "30%", "-o", "out.json", "--report", "missing/report.json"],
      { folder },
    );
    expect(noFolder.exitCode).toBe(2);
    expect(noFolder.stderr).toContain("missing/report.json");
    expect(readFileSync(join(folder, "out.json"), "utf8")).toBe("old");
    expect(readdirSync(folder).sort()).toEqual(["log.md", "out.json"]);
    const logged = readFileSync(join(folder, "log.md"), "utf8");
    expect(logged).toMatch(/^Compaction failed @ \S+: The target of 3 tokens .* \[TARGET_UNREACHABLE\]\n\n$/);
  });
});

test.concurrent("colour only where it is wanted", async () => {
  const parameters = ["compact", example, "--target", "30%"];
  const [plain, forced] = await Promise.all([
    runPith(parameters, { environment: { NO_COLOR: "1", FORCE_COLOR: "1" } }),
    runPith(parameters),
  ]);
  expect(plain!.stderr).not.toContain("\x1b[");
  expect(forced!.stderr).not.toContain("\x1b[");
});

test.concurrent("a reader that goes away early is not an error", async () => {
  const child = spawn(process.execPath, [program, "compact", example, "--target", "90%"]);
  const stderr: string[] = [];
  child.stderr.on("data", (chunk) => stderr.push(String(chunk)));
  child.stdout.destroy();
  await new Promise((resolve) => child.on("close", resolve));
  expect(stderr.join("")).not.toMatch(/EPIPE|at .*\.ts/);
});

test.concurrent("one share of the window is one number: in the reason, the table and the session log", () =>
  inTemporaryFolder(async (folder) => {
    const window = ["--window", "20000", "--session-log", "log.md", "--report", "report.json"];
    const { stderr } = await runPith(["compact", example, ...window], { folder });
    const { promptTokensBefore, base } = JSON.parse(readFileSync(join(folder, "report.json"), "utf8"));
    const [share, cut] = [Math.round, Math.floor].map((how) => how((promptTokensBefore / base) * 1_000) / 10);
    expect(share).not.toBe(cut);
    const log = readFileSync(join(folder, "log.md"), "utf8");
    const told = [
      /tokens, ([\d.]+)%: the threshold/.exec(stderr),
      /^whole request .*?\(([\d.]+)%\)/m.exec(stderr),
      /^Health check: ([\d.]+)% tokens/m.exec(log),
      /^- Pre-summarization: .*\(([\d.]+)%\)$/m.exec(log),
    ].map((found) => Number(found?.[1]));
    expect(told).toEqual(told.map(() => share));
  }));

const full = { skip: !existsSync("/dev/full") };
const onFullDisk: readonly (readonly string[])[] = [
  ["compact", example, "--target", "30%"],
  ["compact", example, "--target", "30%", "--json"],
  ["plan", example, "--target", "30%"],
  ["compact", "--help"],
];

for (const parameters of onFullDisk) {
  const [command, ...flags] = parameters.map((each) => (each === example ? "FILE" : each));
  test.concurrent(
    `${command} ${flags.join(" ")}: a full disk under stdout is told in a sentence`,
    full,
    async () => {
      const run = await runWith(parameters, { stdout: "/dev/full" });
      expect(run.told).toBe("pith: stdout cannot be written (ENOSPC). What it got is not complete.\n");
      expect(run.exitCode).toBe(4);
    },
  );
}

test.concurrent("a full disk under stderr costs nothing but what people would read", full, async () => {
  const run = await runWith(["compact", example, "--target", "30%"], { stderr: "/dev/full" });
  expect(JSON.parse(run.told)).toBeInstanceOf(Array);
  expect(run.exitCode).toBe(0);
});

test.concurrent("a session log on a full disk is a failure, not a wrong flag", full, async () => {
  const run = await runPith(["compact", example, "--target", "30%", "--session-log", "/dev/full"]);
  expect(run.stderr).toBe('pith: Cannot append to the session log "/dev/full": the disk is full.\n');
  expect(run.exitCode).toBe(4);
});

/** With one of the two going to a file; `told` is what the other one got. */
async function runWith(
  parameters: readonly string[],
  { stdout, stderr }: { readonly stdout?: string; readonly stderr?: string },
) {
  const place = openSync((stdout ?? stderr)!, "w");
  const [out, err] = [stdout, stderr].map((path) => (path === undefined ? "pipe" : place));
  const child = spawn(process.execPath, [program, ...parameters], { stdio: ["ignore", out!, err!] });
  closeSync(place);
  const told: string[] = [];
  (child.stdout ?? child.stderr)!.on("data", (chunk) => told.push(String(chunk)));
  const exitCode = await new Promise((resolve) => child.on("close", resolve));
  return { exitCode, told: told.join("") };
}
