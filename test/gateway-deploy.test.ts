/** The Dockerfile, the compose file and the systemd unit say only what the program and the package really have. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { gatewaySettings } from "../src/cli/gateway-command.ts";
import { gatewayFlags } from "../src/cli/gateway-flags.ts";
import { optionalPackages } from "../src/errors/missing-package-error.ts";
import { gatewayDefaults } from "../src/gateway/settings.ts";
import { createCertificate } from "./certificates.ts";
import { gatewayTo } from "./gateway-world.ts";
import { keysFile } from "./keyring-of.ts";
import { runPith } from "./run-pith.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const [dockerfile, compose, unit] = [read("Dockerfile"), read("compose.yaml"), read("deploy/pith.service")];
const { services, configs, volumes } = parse(compose, { merge: true }) as Record<
  string,
  Record<string, Settings>
>;
type Settings = Record<string, unknown>;

const gateway = gatewayFlags(new Command("gateway"));
/** Besides the flags: the summarizer's key, and what the compose file itself asks for. */
const variables = new Set([
  ...gateway.options.map(({ envVar }) => envVar),
  "PITH_SUMMARIZER_KEY",
  "PITH_DATABASE_PASSWORD",
  "PITH_KEYS_FOLDER",
]);

test.each([
  ["Dockerfile", dockerfile],
  ["compose.yaml", compose],
  ["deploy/pith.service", unit],
  ["deploy/kubernetes.yaml", read("deploy/kubernetes.yaml")],
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

/** As the image runs it, with the settings that decide how. */
async function healthCheck(environment: Readonly<Record<string, string>>): Promise<number | null> {
  const [, words] = /^HEALTHCHECK CMD (.*)$/m.exec(dockerfile)!;
  const [command, ...parameters] = JSON.parse(words!) as [string, ...string[]];
  expect(command).toBe("node");
  const child = spawn(process.execPath, parameters, { env: environment });
  return new Promise((resolve) => child.on("close", resolve));
}

test("the health check of the image is answered, with a certificate and without; nothing else is taken for it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pith-deploy-"));
  const tls = createCertificate(folder, "image", "DNS:gateway.example");
  for (const [settings, environment] of [
    [{}, {}],
    [{ tls }, { PITH_TLS_CERT: tls.cert }],
  ] as const) {
    const running = await gatewayTo("http://127.0.0.1:9", settings);
    const { port } = new URL(running.url);
    expect(await healthCheck({ PITH_PORT: port, ...environment })).toBe(0);
    await running.stop();
    expect(await healthCheck({ PITH_PORT: port, ...environment })).toBe(1);
  }
  rmSync(folder, { recursive: true });
});

test("the image asks for keys before it listens for other machines", async () => {
  const image = Object.fromEntries(
    [...dockerfile.matchAll(/(PITH_[A-Z]+)=(\S+)/g)].map(([, name, value]) => [name!, value!]),
  );
  expect(image.PITH_HOST).toBe("0.0.0.0");
  const environment = { ...image, PITH_PORT: "0", PITH_UPSTREAM: "http://127.0.0.1:9", PITH_ARCHIVE: "none" };
  const refused = await runPith(["gateway"], { environment });
  expect(refused).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("Give --keys FILE, or --keys none"),
  });
  const told = { upstream: ["http://a.example"], host: "0.0.0.0" };
  expect(gatewaySettings({ ...told, keys: "none" }).keys).toBeUndefined();
  expect(gatewaySettings({ ...told, keys: keysFile({ team: "k" }) }).keys?.tenants()).toEqual(["team"]);
  expect(gatewaySettings({ upstream: told.upstream }).keys).toBeUndefined();
});

test("the compose file has replicas on one database behind one address", () => {
  const { database, gateway: replicas, inspector, balancer } = services as Record<string, Settings>;
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
  expect(nginx).toContain(`http://inspector:${gatewayDefaults.port};`);
  expect(nginx).toContain("proxy_set_header Host $$http_host;");
  // Who has signed in, one process knows alone.
  expect(environment.PITH_INSPECT).toBe("off");
  expect(inspector).not.toHaveProperty("deploy");
  for (const service of [replicas, inspector]) {
    // A file that is mounted by itself is not seen again once it is replaced.
    const [folder] = service!.volumes as { type: string; source: string; target: string }[];
    expect(folder).toMatchObject({
      type: "bind",
      source: expect.stringMatching(/:-\.\/keys\}$/),
      read_only: true,
    });
    expect(service).toHaveProperty("environment.PITH_KEYS", `${folder!.target}/keys`);
  }
  expect(nginx).toContain(`client_max_body_size ${gatewayDefaults.maxBodyBytes / 1024 ** 2}m;`);
  expect(nginx).toContain("proxy_buffering off;");
  expect(Number(/(\d+)s$/.exec(String(replicas!.stop_grace_period))![1]) * 1_000).toBeGreaterThan(
    gatewayDefaults.graceMs + gatewayDefaults.drainMs,
  );
});

test("the unit starts a command that there is, and waits for it to end", () => {
  const [, command] = /^ExecStart=\/usr\/bin\/env pith (.*)$/m.exec(unit)!;
  expect(command).toBe(gateway.name());
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1]) * 1_000).toBeGreaterThan(
    gatewayDefaults.graceMs + gatewayDefaults.drainMs,
  );
  const checked = spawnSync("/usr/bin/systemd-analyze", ["verify", join(root, "deploy/pith.service")], {
    encoding: "utf8",
  });
  if (checked.error) console.warn("systemd-analyze is not here: the unit is not checked by it.");
  else expect([checked.status, checked.stderr]).toEqual([0, ""]);
});
