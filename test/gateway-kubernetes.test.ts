/** The Kubernetes manifests say only what the program has, and what belongs together in them does. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { type GatewayFlags, gatewaySettings } from "../src/cli/gateway-command.ts";
import { gatewayFlags } from "../src/cli/gateway-flags.ts";
import { memoryShares } from "../src/gateway/memory-shares.ts";
import { readKeys } from "../src/keys/read-keys.ts";
import { gatewayTo } from "./gateway-world.ts";

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface Container {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly { name: string; valueFrom: { secretKeyRef: { name: string; key: string } } }[];
  readonly envFrom: readonly { configMapRef: { name: string } }[];
  readonly ports: readonly { name: string; containerPort: number }[];
  readonly volumeMounts: readonly { name: string; mountPath: string }[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe?: Probe;
  readonly resources: { readonly limits: { readonly memory: string } };
}
interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly [Container];
  readonly volumes: readonly {
    name: string;
    secret: { secretName: string; items: { key: string; path: string }[] };
  }[];
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data: Record<string, string>;
  readonly stringData: Record<string, string>;
  readonly spec: {
    readonly replicas: number;
    readonly maxUnavailable: number;
    readonly selector: Record<string, string> & { readonly matchLabels: Record<string, string> };
    readonly ports: readonly { port: number; targetPort: string }[];
    readonly template: { readonly metadata: { labels: Record<string, string> }; readonly spec: PodSpec };
  };
}

const file = join(import.meta.dirname, "../deploy/kubernetes.yaml");
const documents = parseAllDocuments(readFileSync(file, "utf8"));
const manifests = documents.map((each) => each.toJS() as Manifest);
const all = (kind: string): readonly Manifest[] => manifests.filter((each) => each.kind === kind);
const named = (kind: string, name: string): Manifest =>
  all(kind).find(({ metadata }) => metadata.name === name)!;
const deployments = all("Deployment").map((each) => [each.metadata.name, each] as const);
const flags = gatewayFlags(new Command("gateway"));

test("every document is read without a complaint, and none is there twice", () => {
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(new Set(names).size).toBe(names.length);
  expect(deployments.map(([name]) => name)).toEqual(["pith", "pith-inspector"]);
});

/** What the program makes of a container's flags and settings, with the Secret filled in. */
function settingsOf({ args, env, envFrom }: Container) {
  const secret = (name: string, key: string): string => named("Secret", name).stringData[key]!;
  const environment: Record<string, string> = {
    ...named("ConfigMap", envFrom[0]!.configMapRef.name).data,
    ...Object.fromEntries(
      env.map(({ name, valueFrom: { secretKeyRef } }) => [name, secret(secretKeyRef.name, secretKeyRef.key)]),
    ),
  };
  const [command, ...typed] = args;
  expect(command).toBe(flags.name());
  const parsed = gatewayFlags(new Command().exitOverride());
  for (const option of parsed.options) {
    const value = option.envVar === undefined ? undefined : environment[option.envVar];
    if (value !== undefined) parsed.setOptionValueWithSource(option.attributeName(), value, "env");
    delete environment[option.envVar ?? ""];
  }
  expect(environment).toEqual({});
  return parsed.parse([...typed], { from: "user" }).opts<GatewayFlags>();
}

test.each(deployments)(
  "%s: flags, ports, keys and probes are those of the program",
  async (name, { spec }) => {
    const pod = spec.template.spec;
    const [container] = pod.containers;
    const folder = mkdtempSync(join(tmpdir(), "pith-kubernetes-"));
    const given = settingsOf(container);
    const keys = join(folder, "keys");
    writeFileSync(keys, `team ${"0".repeat(64)}\n`);
    const settings = gatewaySettings({ ...given, keys });

    expect(settings.host).toBe("0.0.0.0");
    expect(settings.inspect).toBe(name === "pith-inspector");
    expect(container.ports).toEqual([{ name: "http", containerPort: settings.port }]);
    const service = named("Service", name).spec;
    expect(service.ports).toEqual([{ name: "http", port: settings.port, targetPort: "http" }]);

    const [mount] = container.volumeMounts;
    const volume = pod.volumes.find((each) => each.name === mount!.name)!;
    const [item] = volume.secret.items;
    expect(given.keys).toBe(`${mount!.mountPath}/${item!.path}`);
    const { stringData } = named("Secret", volume.secret.secretName);
    writeFileSync(keys, stringData[item!.key]!);
    expect(() => readKeys(keys)).toThrow("there is no key in it");

    const seconds = (settings.graceMs + settings.drainMs) / 1_000;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(seconds);
    const limit = Number(/^(\d+)Mi$/.exec(container.resources.limits.memory)![1]);
    expect(limit * 1024 ** 2).toBeGreaterThan(settings.memoryBytes);
    expect(memoryShares(settings).totalBytes).toBeLessThanOrEqual(settings.memoryBytes);

    const running = await gatewayTo("http://127.0.0.1:9");
    const { startupProbe, readinessProbe, livenessProbe } = container;
    expect(readinessProbe.httpGet.path).toBe("/readyz");
    for (const probe of [startupProbe, readinessProbe, ...(livenessProbe ? [livenessProbe] : [])]) {
      expect(probe.httpGet.port).toBe("http");
      expect((await fetch(`${running.url}${probe.httpGet.path}`)).status).toBe(200);
    }
    await running.stop();
    rmSync(folder, { recursive: true });
  },
);

test.each(deployments)("%s: what selects its Pods has their labels", (name, { spec }) => {
  const { labels } = spec.template.metadata;
  expect(spec.selector.matchLabels).toEqual(labels);
  expect(named("Service", name).spec.selector).toEqual(labels);
  for (const budget of all("PodDisruptionBudget").filter(({ metadata }) => metadata.name === name)) {
    expect(budget.spec.selector.matchLabels).toEqual(labels);
    expect(budget.spec.maxUnavailable).toBeLessThan(spec.replicas);
  }
});

test("several gateways have a budget of disruptions; of the inspector there is one, since it alone knows who signed in", () => {
  expect(named("Deployment", "pith").spec.replicas).toBeGreaterThan(1);
  expect(named("PodDisruptionBudget", "pith")).toBeDefined();
  expect(named("Deployment", "pith-inspector").spec.replicas).toBe(1);
});
