/** All bars in one run: `npm run bench`, `npm run bench -- --json`, `npm run bench -- engine`. Fails when a bar fails. */
import { parseArgs } from "node:util";
import type { Bar } from "./bar.ts";

const { values: flags, positionals } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    // Of the load.
    minutes: { type: "string", default: "5" },
    workers: { type: "string", default: "1" },
    pause: { type: "string", default: "5" },
    conversations: { type: "string", default: "200" },
  },
  allowPositionals: true,
});

const benches: Readonly<Record<string, () => Promise<readonly Bar[]>>> = {
  counter: async () => (await import("./counter.ts")).benchCounter(),
  salience: async () => (await import("./salience.ts")).benchSalience(),
  engine: async () => (await import("./engine.ts")).benchEngine(),
  redact: async () => (await import("./redact.ts")).benchRedact(),
  archive: async () => (await import("./archive.ts")).benchArchive(),
  gateway: async () => (await import("./gateway.ts")).benchGateway(),
  soak: async () => (await import("./gateway-soak.ts")).benchSoak(),
  load: async () =>
    (await import("./gateway-load.ts")).benchLoad({
      minutes: Number(flags.minutes),
      workers: Number(flags.workers),
      pause: Number(flags.pause),
      conversations: Number(flags.conversations),
    }),
  sizing: async () => [
    ...(await (await import("./sizing-gateway.ts")).benchSizingGateway()),
    ...(await (await import("./sizing.ts")).benchSizing()),
  ],
  inspector: async () => (await import("./inspector.ts")).benchInspector(),
};
/** Minutes are too long for whoever did not ask for them. */
const onlyWhenNamed: ReadonlySet<string> = new Set(["soak", "load", "sizing"]);

const bars: Bar[] = [];
for (const [name, bench] of Object.entries(benches)) {
  if (positionals.length > 0 ? !positionals.includes(name) : onlyWhenNamed.has(name)) continue;
  process.stderr.write(`${name} …\n`);
  bars.push(...(await bench()));
}
process.stdout.write(flags.json ? `${JSON.stringify(bars, null, 2)}\n` : `${table(bars)}\n`);
process.exitCode = bars.every(({ ok }) => ok) ? 0 : 1;

function table(rows: readonly Bar[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(
    ({ name, ratio, limit, ok, detail }) =>
      `${name.padEnd(width)}  ${ratio.toFixed(3).padStart(8)}  ${String(limit).padStart(6)}  ${ok ? "ok    " : "FAILED"}  ${detail}`,
  );
  return [`${"".padEnd(width)}  ${"ratio".padStart(8)}  ${"limit".padStart(6)}`, ...lines].join("\n");
}
