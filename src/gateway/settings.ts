/** GatewaySettings: all that the gateway is told, resolved once; its defaults are here. */

import type { Proxies } from "../http/proxies.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { TemplateName } from "../policy/template-names.ts";
import type { SummarizerAddress } from "../summarizer/summarizer-at.ts";
import type { TlsFiles } from "./tls.ts";
import type { Upstreams } from "./upstream.ts";
import type { ModelWindow } from "./windows.ts";

export interface GatewaySettings {
  readonly upstreams: Upstreams;
  /** How they, and the addresses of summarizers, are reached if the way out is through a proxy. */
  readonly proxies?: Proxies | undefined;
  /** Where it listens. @default "127.0.0.1" */
  readonly host: string;
  /** On loopback, names besides this machine's own that a proxy passes on as the Host; in small letters. @default none */
  readonly allowHosts?: readonly string[] | undefined;
  /** 0 takes a free one. @default 7483 */
  readonly port: number;
  /** The files of its certificate and key; without them it speaks plain HTTP. */
  readonly tls?: TlsFiles | undefined;
  /** Who may use it. @default everybody who can reach it */
  readonly keys?: Keyring | undefined;
  /** A file, `postgres://…` or `none`. */
  readonly archive: string;
  readonly preset: string;
  /** The window of every model; the model's own where it is absent, and where nobody knows it nothing is compacted. */
  readonly window?: number | undefined;
  /** Windows of single models, which go before that. */
  readonly windows?: readonly ModelWindow[] | undefined;
  readonly reserve?: number | undefined;
  /**
   * What the model is offered: `recall_search` and `recall_expand` once something has left its context, and with "all"
   * `compress_context` from the start where the preset is agent-controlled. @default "all"
   */
  readonly tools: OwnTools;
  /**
   * Who writes summaries in the background, in the order they are asked; "same" is the client's own model, with its own key.
   * Keys come from the environment alone, and are never shown. @default nobody: the hand-off is the deterministic one
   */
  readonly summarizer?: readonly ("same" | SummarizerAddress)[] | undefined;
  /** The prompt that they get, and how long a summary shall be. @default the preset's */
  readonly template?: TemplateName | undefined;
  readonly summaryTokens?: number | undefined;
  /** Whether people may look at what passes, at /inspect: by their key, or by a link that the start prints. @default true */
  readonly inspect: boolean;
  /** Threads that compact. More where many conversations of great length meet; each takes memory of its own. @default 1 */
  readonly workers: number;
  /** How long a request waits for its compaction; raise it where compactions are given up too often. @default 1,000 */
  readonly deadlineMs: number;
  /** How long a compaction may take where the original does not fit the window; for others' it waits longer. @default 30,000 */
  readonly patienceMs: number;
  /** A worker that is inside native code for so long is replaced. @default 10,000 */
  readonly stuckAfterMs: number;
  /**
   * What the process should stay below: half is for the workers' heaps, a fifth for bodies that are held. But every worker
   * has a heap of 12 times `maxBodyBytes` at least: where those and the fifth are more than this, the start warns. Raise it
   * with the number of workers, or where `memory` is a reason for shedding. @default 1 GB
   */
  readonly memoryBytes: number;
  /** The longest body that is read. @default 64 MB */
  readonly maxBodyBytes: number;
  readonly maxHeaderBytes: number;
  /** A client must have sent its headers and its whole request within this. @default 60,000 and 300,000 */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** The upstream may be silent for so long. @default 600,000 */
  readonly upstreamIdleMs: number;
  /** How long a stop serves requests while /readyz says 503, so that nobody sends it more. @default 5,000 */
  readonly graceMs: number;
  /** How long it then waits for the answers under way. @default 30,000 */
  readonly drainMs: number;
}

export type OwnTools = "all" | "recall" | "none";

export const gatewayDefaults = {
  host: "127.0.0.1",
  port: 7483,
  preset: "balanced",
  tools: "all",
  inspect: true,
  workers: 1,
  deadlineMs: 1_000,
  patienceMs: 30_000,
  stuckAfterMs: 10_000,
  memoryBytes: 1024 ** 3,
  maxBodyBytes: 64 * 1024 * 1024,
  maxHeaderBytes: 64 * 1024,
  headersTimeoutMs: 60_000,
  requestTimeoutMs: 300_000,
  upstreamIdleMs: 600_000,
  graceMs: 5_000,
  drainMs: 30_000,
} as const;
