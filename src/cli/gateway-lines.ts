/** gatewayLines: the gateway's settings by the flags that change them, for people; what no flag changes is left to --json. */
import { printedBytes } from "./quantities.ts";

type Shown = Readonly<Record<string, unknown>>;

const FLAGS: Shown = {
  upstreams: "--upstream",
  host: "--host",
  port: "--port",
  allowHosts: "--allow-host",
  tls: "--tls-cert",
  tenants: "--keys",
  archive: "--archive",
  window: "--window",
  windows: "--window",
  reserve: "--reserve",
  preset: "--preset",
  tools: "--tools",
  summarizer: "--summarizer",
  template: "--template",
  summaryTokens: "--summary-tokens",
  inspect: "--inspect",
  deadlineMs: "--deadline",
  graceMs: "--grace",
  memoryBytes: "--memory",
  maxBodyBytes: "--max-body",
  workers: "--workers",
  proxies: "proxy",
  unset: "unset",
};

export function gatewayLines(settings: Shown): readonly string[] {
  return Object.keys(FLAGS)
    .filter((name) => settings[name] !== undefined)
    .map((name) => `${String(FLAGS[name]).padEnd(16)} ${valueText(name, settings[name])}`);
}

function valueText(name: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "number" && name.endsWith("Ms")) return `${value / 1_000}s`;
  if (typeof value === "number" && name.endsWith("Bytes")) return printedBytes(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
