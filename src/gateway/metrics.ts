/** Metrics: what the gateway counts, as Prometheus reads it. */
import { redactSecrets } from "../redact/redact-secrets.ts";
import { createHistogram } from "./histogram.ts";

export interface Metrics {
  readonly add: (name: CounterName, labels?: Readonly<Record<string, string>>, amount?: number) => void;
  /** @param api given where the times of APIs differ */
  readonly observe: (name: HistogramName, seconds: number, api?: string) => void;
  /** What is told by tenant and model, told to that tenant alone and to whoever runs the gateway. */
  readonly addFor: (whose: TenantAndModel, name: TenantCounterName, amount?: number) => void;
  readonly text: (now: Gauges) => string;
}

/** What is so at the moment. */
export interface Gauges {
  readonly inFlight: number;
  readonly waiting: number;
  readonly heldBytes: number;
  /** Whether the archive answered when it was last asked, where that is known. */
  readonly isArchiveUp?: boolean | undefined;
  /** Whose own counts are told: of all tenants, of one, or of none. */
  readonly sees?: Sees;
}

export interface TenantAndModel {
  readonly tenant: string;
  readonly model: string;
}

export type Sees = "all" | "none" | { readonly tenant: string };

const COUNTERS = {
  requests: "Requests answered, by API and status.",
  preparations: "Bodies that were read, by what became of them.",
  faults: "Exchanges that ended early, by what ended them.",
  shed: "Requests that went on without their preparation because there was too much to do, by reason.",
  worker_restarts: "Workers that died or were stuck, and were replaced.",
  no_room: "Compactions of requests whose system prompt and tools take over half of the room.",
  tokens_saved: "Prompt tokens that new compactions took away.",
  compactions: "New compactions, by what made them due; safety-net: the agent did not ask before 95 %.",
  stage_tokens_saved: "Prompt tokens that they took away, by stage.",
  sentences: "Sentences that extraction was offered, by whether they stayed.",
  agent_requests: "Requests by compress_context, by what became of them.",
  overflow_retries: "Requests sent again after the provider said that they were too long.",
  shape_retries:
    "Requests sent again as the client wrote them after the provider refused how their compacted messages are put together.",
  tool_calls: "Calls of the gateway's own tools that it answered.",
  summaries: "Summaries in the background, by what became of them.",
  summary_tokens: "What they cost: tokens of input, those of it that were cached, and of output.",
} as const;
export type CounterName = keyof typeof COUNTERS;

const TENANT_COUNTERS = {
  tenant_requests: "Requests answered, by tenant and model.",
  tenant_compactions: "New compactions, by tenant and model.",
  tenant_upstream_seconds: "Seconds until the upstream's answers began, by tenant and model.",
  tenant_tokens_saved: "Prompt tokens that new compactions took away, by tenant and model.",
} as const;
export type TenantCounterName = keyof typeof TENANT_COUNTERS;

/** A client may name any model: past so many, of one tenant and of all, they are counted as one. */
const MOST_MODELS = 100;
const MOST_SERIES = 2_000;
const OTHER_MODELS = "other";

const MILLISECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const HISTOGRAMS = {
  preparation_seconds: ["Time from a body's last byte to what is sent upstream.", MILLISECONDS],
  upstream_seconds: ["Time from what is sent upstream to the head of its answer, by API.", SECONDS],
  archive_write_seconds: ["Time that writes to the archive took, within preparations.", MILLISECONDS],
} as const;
export type HistogramName = keyof typeof HISTOGRAMS;

export function createMetrics(): Metrics {
  const counters = new Map<CounterName, Map<string, number>>();
  const histograms = new Map(
    Object.entries(HISTOGRAMS).map(([name, [help, bounds]]) => [
      name,
      createHistogram(`pith_gateway_${name}`, help, bounds),
    ]),
  );

  const counterLines = (name: CounterName): readonly string[] => [
    `# HELP pith_gateway_${name}_total ${COUNTERS[name]}`,
    `# TYPE pith_gateway_${name}_total counter`,
    ...[...(counters.get(name) ?? [])].map(
      ([labels, value]) => `pith_gateway_${name}_total${labels} ${value}`,
    ),
  ];
  const byTenant = new Map<string, TenantAndModel & { readonly counts: Map<TenantCounterName, number> }>();
  const modelsOf = new Map<string, number>();
  const seriesOf = ({ tenant, model }: TenantAndModel) => {
    const key = JSON.stringify([tenant, model]);
    const known = byTenant.get(key);
    if (known) return known;
    const models = modelsOf.get(tenant) ?? 0;
    if (model !== OTHER_MODELS && (models >= MOST_MODELS || byTenant.size >= MOST_SERIES))
      return seriesOf({ tenant, model: OTHER_MODELS });
    modelsOf.set(tenant, models + 1);
    const series = { tenant, model, counts: new Map<TenantCounterName, number>() };
    byTenant.set(key, series);
    return series;
  };
  const tenantLines = (sees: Sees): readonly string[] => {
    const shown = [...byTenant.values()].filter(
      ({ tenant }) => sees === "all" || (sees !== "none" && sees.tenant === tenant),
    );
    return Object.entries(TENANT_COUNTERS).flatMap(([name, help]) => {
      const told = shown.flatMap(({ counts, tenant, model }) => {
        const value = counts.get(name as TenantCounterName);
        return value ? [`pith_gateway_${name}_total${labelText({ tenant, model })} ${value}`] : [];
      });
      const head = [`# HELP pith_gateway_${name}_total ${help}`, `# TYPE pith_gateway_${name}_total counter`];
      return told.length > 0 ? [...head, ...told] : [];
    });
  };

  return {
    add: (name, labels = {}, amount = 1) => {
      const values = counters.get(name) ?? new Map<string, number>();
      counters.set(name, values);
      const key = labelText(labels);
      values.set(key, (values.get(key) ?? 0) + amount);
    },
    observe: (name, seconds, api) =>
      histograms.get(name)!.observe(seconds, api === undefined ? "" : `api="${api}"`),
    addFor: (whose, name, amount = 1) => {
      const { counts } = seriesOf(whose);
      counts.set(name, (counts.get(name) ?? 0) + amount);
    },
    text: ({ inFlight, waiting, heldBytes, isArchiveUp, sees = "all" }) =>
      [
        ...Object.keys(COUNTERS).flatMap((name) => counterLines(name as CounterName)),
        ...tenantLines(sees),
        ...[...histograms.values()].flatMap((histogram) => histogram.lines()),
        ...gaugeLines("in_flight", "Requests under way.", inFlight),
        ...gaugeLines("queue_length", "Requests that wait for a worker.", waiting),
        ...gaugeLines("held_bytes", "Bytes of the bodies that are held.", heldBytes),
        ...(isArchiveUp === undefined ? [] : gaugeLines("archive_up", ARCHIVE_HELP, isArchiveUp ? 1 : 0)),
        "",
      ].join("\n"),
  };
}

const ARCHIVE_HELP = "1 if the archive answered when it was last asked, 0 if it failed.";

function gaugeLines(name: string, help: string, value: number): readonly string[] {
  const full = `pith_gateway_${name}`;
  return [`# HELP ${full} ${help}`, `# TYPE ${full} gauge`, `${full} ${value}`];
}

/** What a client named, such as a model, may be anything: it is masked, kept short, and quoted as Prometheus reads it. */
function labelText(labels: Readonly<Record<string, string>>): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${quoted(value)}"`);
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}

const LONGEST_LABEL = 200;
const MOST_LOOKED_AT = 20_000;
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n" };

function quoted(value: string): string {
  const masked = redactSecrets(value.slice(0, MOST_LOOKED_AT)).text.slice(0, LONGEST_LABEL);
  return masked.toWellFormed().replace(/[\\"\n]/g, (sign) => ESCAPES[sign]!);
}
