/** A gateway in a process of its own, for tests in which it is stopped, killed and started again. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Json } from "./gateway-wires.ts";
import { program } from "./run-pith.ts";

export interface Replica {
  readonly url: string;
  readonly log: () => readonly Json[];
  readonly child: ChildProcess;
}

/** Settles when it listens. */
export async function startReplica(archive: string, flags: readonly string[]): Promise<Replica> {
  const child = spawn(process.execPath, [program, "gateway", "--port", "0", ...flags], {
    env: { ...process.env, PITH_ARCHIVE: archive },
  });
  let text = "";
  // The last line may be half written.
  const log = (): readonly Json[] =>
    text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Json);
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      text += chunk;
      const line = log().find(({ event }) => event === "listening");
      if (line) resolve(String(line.url));
    });
    child.on("exit", () => reject(new Error(text)));
  });
  return { url, child, log };
}

/** What they logged under a name. */
export function eventsOfAll(replicas: readonly Pick<Replica, "log">[], name: string): readonly Json[] {
  return replicas.flatMap(({ log }) => log()).filter(({ event }) => event === name);
}
