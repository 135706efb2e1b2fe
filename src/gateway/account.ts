/** Account: what is told of an exchange afterwards, to the log, the metrics and the traces. */
import type { Api } from "./apis.ts";
import type { Sendable } from "./preparation.ts";

export interface Account {
  readonly api: Api["name"] | "other";
  readonly status: number;
  /** Until the upstream's answer began; the sum where it was asked several times. */
  readonly upstreamMs?: number;
  readonly tenant?: string;
  /** As the request names it, masked. */
  readonly model?: string | undefined;
  readonly prepared?: Omit<Sendable, "text" | "writes" | "room" | "due" | "archive">;
  readonly retried?: boolean;
  /** Calls of own tools that were answered. */
  readonly toolCalls?: number;
  /** Why the next request will not have them in view. */
  readonly forgot?: string | undefined;
}
