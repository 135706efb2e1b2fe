/** The Dockerfile, the compose file and the systemd unit say only what the program and the package really have. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { gatewayFlags } from "../src/cli/gateway-flags.ts";
import { optionalPackages } from "../src/errors/missing-package-error.ts";
import { gatewayDefaults } from "../src/gateway/settings.ts";
import { gatewayTo } from "./gateway-world.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const [dockerfile, compose, unit] = [read("Dockerfile"), read("compose.yaml"), read("deploy/pith.service")];
const { services, configs, volumes } = parse(compose) as Record<string, Record<string, Settings>>;
type Settings = Record<string, unknown>;

const gateway = gatewayFlags(new Command("gateway"));
/** Besides the flags: the summarizer's key, and what the compose file itself asks for. */
const variables = new Set([
  ...gateway.options.map(({ envVar }) => envVar),
  "PITH_SUMMARIZER_KEY",
  "PITH_DATABASE_PASSWORD",
]);

test.each([
  ["Dockerfile", dockerfile],
  ["compose.yaml", compose],
  ["deploy/pith.service", unit],
  ["docs/gateway.md", read("docs/gateway.md")],
])("%s names no setting that the gateway does not know", (_, text) => {
  const named = [...text.matchAll(/PITH_[A-Z_]+/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !variables.has(name))).toEqual([]);
});

test("the image is built of files that are there, and starts what the package calls its program", () => {
  const lines = dockerfile.split("\n");
  const { bin, scripts } = JSON.parse(read("package.json"));
  const copied = lines
    .filter((line) => line.startsWith("COPY ") && !line.includes("--from"))
    .flatMap((line) => line.split(/\s+/).slice(1, -1));
  expect(copied.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  for (const [, script] of dockerfile.matchAll(/npm run (\S+)/g)) expect(scripts).toHaveProperty(script!);
  expect(dockerfile).toContain(`ENTRYPOINT ["node", "${bin.pith}"]\nCMD ["${gateway.name()}"]`);
  expect(dockerfile).toContain(`EXPOSE ${gatewayDefaults.port}\n`);
  expect(dockerfile).toContain(`PITH_PORT=${gatewayDefaults.port} `);
});

test("the image has the packages that only some need, as they are tested", () => {
  const { devDependencies } = JSON.parse(read("package.json"));
  for (const name of Object.keys(optionalPackages))
    expect(dockerfile).toContain(` ${name}@${devDependencies[name]} `);
});

test("the health check of the image is answered", async () => {
  const [, path] = /http:\/\/127\.0\.0\.1:7483(\/\w+)/.exec(dockerfile)!;
  const running = await gatewayTo("http://127.0.0.1:9");
  expect((await fetch(`${running.url}${path}`)).status).toBe(200);
  await running.stop();
});

test("the compose file has replicas on one database behind one address", () => {
  const { database, gateway: replicas, balancer } = services as Record<string, Settings>;
  expect(replicas).toMatchObject({
    build: ".",
    deploy: { replicas: 3 },
    depends_on: { database: { condition: "service_healthy" } },
  });
  expect(database).toHaveProperty("healthcheck.test");
  const environment = replicas!.environment as Record<string, string>;
  expect(environment.PITH_ARCHIVE).toMatch(/^postgres:\/\/pith:.*@database\/pith$/);
  const [volume] = String((database!.volumes as string[])[0]).split(":");
  expect(volumes).toHaveProperty(volume!);
  const [config] = balancer!.configs as { source: string }[];
  const nginx = String(configs![config!.source]!.content);
  expect(nginx).toContain(`http://gateway:${gatewayDefaults.port};`);
  expect(nginx).toContain(`client_max_body_size ${gatewayDefaults.maxBodyBytes / 1024 ** 2}m;`);
  expect(nginx).toContain("proxy_buffering off;");
  expect(Number(/(\d+)s$/.exec(String(replicas!.stop_grace_period))![1]) * 1_000).toBeGreaterThan(
    gatewayDefaults.drainMs,
  );
});

test("the unit starts a command that there is, and waits for it to end", () => {
  const [, command] = /^ExecStart=\/usr\/bin\/env pith (.*)$/m.exec(unit)!;
  expect(command).toBe(gateway.name());
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1]) * 1_000).toBeGreaterThan(gatewayDefaults.drainMs);
  const checked = spawnSync("/usr/bin/systemd-analyze", ["verify", join(root, "deploy/pith.service")], {
    encoding: "utf8",
  });
  if (checked.error) console.warn("systemd-analyze is not here: the unit is not checked by it.");
  else expect([checked.status, checked.stderr]).toEqual([0, ""]);
});
