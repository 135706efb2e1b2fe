/** `pith gateway` as a process: its settings, its log, and how it stops. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gatewaySettings } from "../src/cli/gateway-command.ts";
import { wires } from "./gateway-wires.ts";
import { post, startProvider } from "./gateway-world.ts";
import { inTemporaryFolder, program, runPith } from "./run-pith.ts";

const [chat] = wires;

test("a gateway that is told to stop serves for its grace time, ends the answers under way, takes no more, and ends well", async () => {
  const begun = Promise.withResolvers<() => void>();
  const provider = await startProvider((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
    begun.resolve(() => response.end("data: 2\n\n"));
  });
  const child = spawn(process.execPath, [program, "gateway", "--port", "0", "--archive", "none"], {
    env: { ...process.env, PITH_UPSTREAM: provider.url, PITH_GRACE: "3s" },
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  let log = "";
  const line = (event: string): Promise<string> =>
    new Promise((resolve) => {
      child.stderr.on("data", () => {
        const found = log.split("\n").find((each) => each.includes(`"event":"${event}"`));
        if (found) resolve(found);
      });
    });
  child.stderr.on("data", (chunk) => {
    log += chunk;
  });
  const { url } = JSON.parse(await line("listening"));
  const response = await post(`${url}${chat!.path}`, chat!.body([chat!.user("hi")], { stream: true }));
  const finish = await begun.promise;
  const stopping = line("stopping");
  child.kill("SIGTERM");
  await stopping;
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  const late = await fetch(`${url}/v1/models`);
  expect([late.status, late.headers.get("connection")]).toEqual([200, "close"]);
  await late.body?.cancel();
  const isClosed = async (): Promise<boolean> =>
    fetch(`${url}/readyz`)
      .then(() => false)
      .catch(() => true);
  while (!(await isClosed()));
  finish();
  expect(await response.text()).toBe("data: 1\n\ndata: 2\n\n");
  expect(await ended).toBe(0);
  await provider.close();
});

/** Makes a process believe that the package is not installed. */
const withoutTracing = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module";
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier.startsWith("@opentelemetry/")) throw new Error("It is not installed.");
      return next(specifier, context);
    },
  });`)}`;

test("a gateway needs nothing of OpenTelemetry", async () => {
  const provider = await startProvider((_, response) => response.end("{}"));
  const flags = ["gateway", "--port", "0", "--archive", "none", "--upstream", provider.url];
  const child = spawn(process.execPath, ["--import", withoutTracing, program, ...flags]);
  const url = await new Promise<string>((resolve, reject) => {
    let log = "";
    child.stderr.on("data", (chunk) => {
      log += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(log)?.[0];
      if (found) resolve(found);
    });
    child.on("exit", () => reject(new Error(log)));
  });
  expect((await post(`${url}${chat!.path}`, chat!.body([chat!.user("hi")]))).status).toBe(200);
  child.kill("SIGTERM");
  await provider.close();
});

test("settings come from flags, then the environment, then a file, and wrong ones are named", async () => {
  await inTemporaryFolder(async (folder) => {
    const config = join(folder, "gateway.json");
    writeFileSync(
      config,
      JSON.stringify({ upstream: "https://a.example", window: 32_000, deadline: "2s", maxBody: "1MB" }),
    );
    const settings = gatewaySettings({ config, window: "16000" });
    expect(settings).toMatchObject({
      window: 16_000,
      deadlineMs: 2_000,
      maxBodyBytes: 1_048_576,
      host: "127.0.0.1",
    });
    expect(settings.upstreams.anthropic?.href).toBe("https://a.example/");
    expect(gatewaySettings({ config })).toMatchObject({ window: 32_000 });
    writeFileSync(
      config,
      JSON.stringify({ upstream: "https://a.example", window: ["claude-*=200000", "64000"] }),
    );
    expect(gatewaySettings({ config })).toMatchObject({
      window: 64_000,
      windows: [{ models: "claude-*", tokens: 200_000 }],
    });
    writeFileSync(config, JSON.stringify({ upstream: "https://a.example", allowHost: ["Pith.example"] }));
    expect(gatewaySettings({ config }).allowHosts).toEqual(["pith.example"]);
    expect(gatewaySettings({ config, allowHost: "a.example b" }).allowHosts).toEqual(["a.example", "b"]);
    writeFileSync(config, '{"windw": 3}');
    expect(() => gatewaySettings({ config })).toThrow(/windw/);
    for (const [flag, value] of [
      ["port", "70000"],
      ["deadline", "soon"],
      ["deadline", "5"],
      ["grace", "10"],
      ["maxBody", "9GB"],
      ["preset", "nothing"],
      ["keys", join(folder, "none")],
      ["window", "-1"],
      ["window", "gpt-5=few"],
      ["workers", "0"],
      ["allowHost", "https://pith.example"],
      ["allowHost", "*.example"],
    ]) {
      expect(() => gatewaySettings({ upstream: ["https://a.example"], [flag!]: value })).toThrow(
        value!.slice(0, 4),
      );
    }
    const graced = (grace: string) => gatewaySettings({ upstream: ["https://a.example"], grace }).graceMs;
    expect(() => graced("10")).toThrow("--grace 10: give a unit, 10s or 10ms.");
    expect([graced("10s"), graced("10ms"), graced("0")]).toEqual([10_000, 10, 0]);
  });
  const { exitCode, stderr } = await runPith(["gateway"]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("--upstream is missing")]);
});

test("doctor prints what the gateway's settings come to, without secrets", async () => {
  await inTemporaryFolder(async (folder) => {
    const digest = "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8";
    writeFileSync(join(folder, "keys"), `alpha ${digest}\nbeta ${digest.replace("5", "6")}\n`);
    writeFileSync(join(folder, "gateway.json"), '{"window": 32000, "deadline": "2s", "preset": "gptme"}');
    const environment = {
      PITH_UPSTREAM: "https://a.example",
      PITH_ARCHIVE: "postgres://me:hunter22@db.example/pith",
      PITH_KEYS: join(folder, "keys"),
      PITH_CONFIG: join(folder, "gateway.json"),
      PITH_SUMMARIZER: "http://localhost:11434/v1",
      PITH_SUMMARIZER_MODEL: "small",
      PITH_SUMMARIZER_KEY: "sk-very-secret",
      PITH_DEADLINE: "3s",
      PITH_ALLOW_HOST: "pith.example",
    };
    const { stdout, exitCode } = await runPith(["doctor", "--json", "--window", "16000"], { environment });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).gateway).toMatchObject({
      upstreams: { openai: "https://a.example/", anthropic: "https://a.example/" },
      archive: "postgres://me:…@db.example/pith",
      tenants: ["alpha", "beta"],
      allowHosts: ["pith.example"],
      summarizer: [{ url: "http://localhost:11434/v1", model: "small", kind: "openai", key: "set" }],
      window: 16_000,
      deadlineMs: 3_000,
      preset: "gptme",
      port: 7_483,
    });
    const people = await runPith(["doctor"], { environment });
    expect(people.stdout).toMatch(/--deadline +3s\n/);
    for (const secret of ["hunter22", "sk-very-secret", digest])
      expect(stdout + people.stdout).not.toContain(secret);
  });
  const { stdout, exitCode } = await runPith(["doctor"]);
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining("--upstream is missing")]);
  const wrong = await runPith(["doctor", "--upstream", "https://a.example", "--deadline", "soon"]);
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining("--deadline soon")]);
});
