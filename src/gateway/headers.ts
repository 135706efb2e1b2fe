/** Headers of a request on its way upstream and of the answer on its way back: all but those of the connection itself. */
import type { IncomingMessage } from "node:http";

const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Headers that name or count one request: with another body they would be refused, or get the answer to that one. */
const OF_ONE_REQUEST = [
  "idempotency-key",
  "x-idempotency-key",
  "x-client-request-id",
  "x-stainless-retry-count",
] as const;

/**
 * Names and values in turns, as they came: order, case and repetitions kept.
 *
 * @param except names in lower case that go as well
 */
export function passedOn(message: IncomingMessage, except: readonly string[] = []): string[] {
  const named = String(message.headers.connection ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  const leaving = new Set([...HOP_BY_HOP, ...named, ...except]);
  const { rawHeaders } = message;
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    if (!leaving.has(name) && !name.startsWith("x-pith-")) kept.push(rawHeaders[at]!, rawHeaders[at + 1]!);
  }
  return kept;
}

/** The client's headers for the upstream, whose name is in `host`. */
export function upstreamHeaders(
  message: IncomingMessage,
  { host, requestId, body, isReplaced, isRead, isAnother, trace = {} }: UpstreamHeaders,
): string[] {
  const changed = [
    ...(body ? ["content-length"] : []),
    ...(isReplaced ? ["content-encoding"] : []),
    ...(isRead ? ["accept-encoding"] : []),
    ...(isAnother ? OF_ONE_REQUEST : []),
    ...Object.keys(trace),
  ];
  const headers = passedOn(message, ["host", "expect", "x-request-id", ...changed]);
  if (isRead) headers.push("Accept-Encoding", "identity");
  headers.push("Host", host, "X-Request-Id", requestId, ...Object.entries(trace).flat());
  if (body) headers.push("Content-Length", String(body.length));
  else if (hasStreamedBody(message)) headers.push("Transfer-Encoding", "chunked");
  return headers;
}

export interface UpstreamHeaders {
  readonly host: string;
  readonly requestId: string;
  /** The body, where it goes in one piece. */
  readonly body?: Buffer | undefined;
  /** It is not the client's any more, and not packed. */
  readonly isReplaced?: boolean;
  /** The answer is read here, so that it must not be packed. */
  readonly isRead?: boolean;
  /** It is another request than the one that the client made. */
  readonly isAnother?: boolean;
  /** What tells the upstream which span it is asked in; in place of what told the gateway. */
  readonly trace?: Readonly<Record<string, string>>;
}

function hasStreamedBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] === undefined && headers["transfer-encoding"] !== undefined;
}
