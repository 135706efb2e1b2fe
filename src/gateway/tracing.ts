/** Tracing: OpenTelemetry spans of what the gateway does, where `@opentelemetry/api` is there and somebody listens. */
import type { IncomingHttpHeaders } from "node:http";
import type { Attributes, Context, Span } from "@opentelemetry/api";
import { redactSecrets } from "../redact/redact-secrets.ts";

const LONGEST_TEXT = 500;

type Api = typeof import("@opentelemetry/api");

export interface Trace {
  /** Nobody listens where it is false: what an attribute would cost can be spared. */
  readonly isRecording: boolean;
  readonly name: (name: string) => void;
  readonly set: (attributes: Attributes) => void;
  /** A span within this one. */
  readonly child: (name: string, options?: ChildOptions) => Trace;
  /** The headers by which spans of whoever is asked next become children of this one. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** `failure` is why it did not go well; `at` is when it ended, where that was not now. */
  readonly end: (how?: { readonly failure?: unknown; readonly at?: number }) => void;
}

export interface ChildOptions {
  readonly attributes?: Attributes;
  /** It asks another server. */
  readonly asks?: boolean;
  /** When it began, where that was not now. Milliseconds since the epoch. */
  readonly at?: number;
}

export interface Tracing {
  /** The span of one request; it belongs to the span that the client's headers name. */
  readonly begin: (name: string, headers: IncomingHttpHeaders) => Trace;
}

const noTrace: Trace = {
  isRecording: false,
  name: () => {},
  set: () => {},
  child: () => noTrace,
  headers: () => ({}),
  end: () => {},
};

export async function createTracing(): Promise<Tracing> {
  const api = await import("@opentelemetry/api").catch(() => undefined);
  return api ? tracingBy(api) : { begin: () => noTrace };
}

function tracingBy(api: Api): Tracing {
  const tracer = api.trace.getTracer("pith-gateway");
  const { SpanKind } = api;
  return {
    begin: (name, headers) => {
      const active = api.context.active();
      // Where the HTTP server is traced as well, its span knows the client's already.
      const parent = api.trace.getSpan(active) ? active : api.propagation.extract(active, headers);
      const span = tracer.startSpan(clean(name), { kind: SpanKind.SERVER }, parent);
      return span.isRecording() ? traceOf(span, parent) : noTrace;
    },
  };

  function traceOf(span: Span, parent: Context): Trace {
    const own = api.trace.setSpan(parent, span);
    return {
      isRecording: true,
      name: (name) => void span.updateName(clean(name)),
      set: (attributes) => void span.setAttributes(cleaned(attributes)),
      child: (name, { attributes = {}, asks = false, at } = {}) => {
        const kind = asks ? SpanKind.CLIENT : SpanKind.INTERNAL;
        const begun = at === undefined ? {} : { startTime: at };
        const options = { kind, attributes: cleaned(attributes), ...begun };
        return traceOf(tracer.startSpan(clean(name), options, own), own);
      },
      headers: () => {
        const carrier: Record<string, string> = {};
        api.propagation.inject(own, carrier);
        return carrier;
      },
      end: ({ failure, at } = {}) => {
        if (failure !== undefined) {
          const isError = failure instanceof Error;
          const message = clean(isError ? failure.message : String(failure));
          span.setAttribute("error.type", isError ? failure.name : message);
          span.setStatus({ code: api.SpanStatusCode.ERROR, message });
        }
        span.end(at);
      },
    };
  }
}

const MOST_LOOKED_AT = 20_000;

/** Masked before it is cut: of half a secret nobody would know that it is one. */
function clean(text: string): string {
  return redactSecrets(text.slice(0, MOST_LOOKED_AT)).text.slice(0, LONGEST_TEXT);
}

function cleaned(attributes: Attributes): Attributes {
  const entries = Object.entries(attributes).map(([name, value]) => [
    name,
    typeof value === "string" ? clean(value) : value,
  ]);
  return Object.fromEntries(entries) as Attributes;
}
