/** A gateway in a process of its own, for tests in which it is stopped, killed and started again. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Json } from "./gateway-wires.ts";
import { program } from "./run-pith.ts";

export interface Replica {
  readonly url: string;
  readonly log: readonly Json[];
  readonly child: ChildProcess;
}

/** Settles when it listens. */
export async function startReplica(archive: string, flags: readonly string[]): Promise<Replica> {
  const child = spawn(process.execPath, [program, "gateway", "--port", "0", ...flags], {
    env: { ...process.env, PITH_ARCHIVE: archive },
  });
  const log: Json[] = [];
  /** The last line may be half written. */
  let rest = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      const lines = `${rest}${chunk}`.split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const entry = JSON.parse(line) as Json;
        log.push(entry);
        if (entry.event === "listening") resolve(String(entry.url));
      }
    });
    child.on("exit", () => reject(new Error(JSON.stringify(log) + rest)));
  });
  return { url, child, log };
}

/** What they logged under a name. */
export function eventsOfAll(replicas: readonly Pick<Replica, "log">[], name: string): readonly Json[] {
  return replicas.flatMap(({ log }) => log).filter(({ event }) => event === name);
}
