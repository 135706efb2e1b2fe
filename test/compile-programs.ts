/** Before the first run in a clone: a gateway is started and stopped, which leaves its sources compiled. One that is killed leaves nothing. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { startReplica } from "./gateway-replica.ts";

export default async function compilePrograms(): Promise<void> {
  if (existsSync(process.env.NODE_COMPILE_CACHE!)) return;
  const { child } = await startReplica("none", ["--upstream", "http://127.0.0.1:1"]);
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
