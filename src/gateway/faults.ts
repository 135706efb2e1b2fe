/** Faults: what ended an exchange early, told apart: by whom is what people look for first. */
import { GatewayRefusal } from "./refusals.ts";

/** The client went before it had its whole answer. */
export class ClientGoneError extends Error {
  constructor(options?: ErrorOptions) {
    super("The client has gone.", options);
  }
}

/** The upstream broke off an answer that it had begun. */
export class UpstreamCutError extends Error {
  constructor(options?: ErrorOptions) {
    super("The upstream broke off its answer.", options);
  }
}

/** `client-gone`, `upstream-cut`, the code of a refusal such as `upstream-silent`, or `internal`. */
export function faultOf(error: unknown): string {
  if (error instanceof ClientGoneError) return "client-gone";
  if (error instanceof UpstreamCutError) return "upstream-cut";
  return error instanceof GatewayRefusal ? error.code.replaceAll("_", "-") : "internal";
}
