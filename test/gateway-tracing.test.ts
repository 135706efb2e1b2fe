/** The gateway's spans, as OpenTelemetry's own SDK collects them. */
import { propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { modulesRead, talkThrough, wireCases } from "./gateway-talk.ts";
import { type Wire, wires } from "./gateway-wires.ts";
import { gatewayTo, post } from "./gateway-world.ts";
import { until } from "./until.ts";

const exporter = new InMemorySpanExporter();

beforeAll(() => {
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  );
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
});
beforeEach(() => exporter.reset());
afterAll(() => {
  trace.disable();
  propagation.disable();
});
const talk = talkThrough(1, { window: 8_000 });

/** The client has its answer a moment before the last spans end. */
async function spans(count: number): Promise<readonly ReadableSpan[]> {
  await until(() => exporter.getFinishedSpans().length >= count);
  return exporter.getFinishedSpans();
}
const named = (spans: readonly ReadableSpan[], name: string): readonly ReadableSpan[] =>
  spans.filter((span) => span.name === name);

test.each(wireCases)(
  "a request that is compacted and recalls has a span, and a child for each part, on $name (stream $stream)",
  async ({ wire, stream }) => {
    talk.say = (_, index) =>
      index === 0
        ? { text: "", calls: [{ id: "own_1", name: "recall_search", arguments: '{"query":"zebra17"}' }] }
        : { text: "It is there.", calls: [] };
    const client = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
    const response = await post(
      `${talk.gateways[0]!.url}${wire.path}`,
      wire.body(modulesRead(wire, { title: `spans-${stream}` }), { stream }),
      { traceparent: `00-${client.traceId}-${client.spanId}-01` },
    );
    expect(await response.text()).toContain("It is there.");
    const all = await spans(8);
    const request = all.find(({ kind }) => kind === SpanKind.SERVER)!;
    expect(request.name).toBe("chat some-model");
    expect(request.parentSpanContext?.spanId).toBe(client.spanId);
    expect(request.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": wire.name === "messages" ? "anthropic" : "openai",
      "gen_ai.request.model": "some-model",
      "gen_ai.usage.input_tokens": 200,
      "gen_ai.usage.output_tokens": 20,
      "http.response.status_code": 200,
      "server.address": "127.0.0.1",
      "server.port": Number(new URL(talk.provider.url).port),
      "pith.compacted": true,
      "pith.outcome": "compacted",
      "pith.tool_calls": 1,
      "pith.conversation": expect.stringMatching(/^local\//),
    });
    const { "pith.tokens.before": before, "pith.tokens.after": after } = request.attributes;
    expect(Number(after)).toBeLessThan(Number(before));
    expect(Number(after)).toBeGreaterThan(0);
    expect(all.every((span) => span.spanContext().traceId === client.traceId)).toBe(true);

    const [prepare] = named(all, "prepare");
    const ofRequest = (span: ReadableSpan | undefined) =>
      expect(span?.parentSpanContext?.spanId).toBe(request.spanContext().spanId);
    ofRequest(prepare);
    const [tool] = named(all, "execute_tool recall_search");
    ofRequest(tool);
    expect(tool!.attributes).toMatchObject({ "gen_ai.tool.call.id": "own_1" });
    // The compaction and its recipe inside the preparation, and the turn that the client did not hear.
    const writes = named(all, "archive write").map(({ parentSpanContext }) => parentSpanContext!.spanId);
    const [inPrepare, inRequest] = [prepare, request].map((span) => span!.spanContext().spanId);
    expect(writes.toSorted()).toEqual([inPrepare, inPrepare, inRequest].toSorted());
    const upstream = named(all, "upstream");
    expect(upstream.map(({ kind }) => kind)).toEqual([SpanKind.CLIENT, SpanKind.CLIENT]);
    for (const span of upstream) ofRequest(span);
    // The provider is told the span that it is asked in.
    expect(talk.provider.received.map(({ headers }) => headers.traceparent)).toEqual(
      upstream.map((span) => `00-${client.traceId}-${span.spanContext().spanId}-01`),
    );
  },
);

test("usage is read from an answer that only passes, and a body that is not compacted says so", async () => {
  const [, messages] = wires as readonly [Wire, Wire];
  for (const stream of [true, false]) {
    exporter.reset();
    await (
      await post(`${talk.gateways[0]!.url}${messages.path}`, messages.body([messages.user("hi")], { stream }))
    ).text();
    const [request] = (await spans(2)).filter(({ kind }) => kind === SpanKind.SERVER);
    expect(request!.attributes).toMatchObject({
      "gen_ai.usage.input_tokens": 100,
      "gen_ai.usage.output_tokens": 10,
      "pith.compacted": false,
    });
    expect(request!.parentSpanContext).toBeUndefined();
  }
});

test("what passes through has a span without a model, and one that is refused says why", async () => {
  await (await fetch(`${talk.gateways[0]!.url}/v1/models`)).text();
  const [request] = (await spans(2)).filter(({ kind }) => kind === SpanKind.SERVER);
  expect(request!.name).toBe("GET");
  expect(Object.keys(request!.attributes).filter((name) => name.startsWith("gen_ai"))).toEqual([]);
  exporter.reset();
  const dead = await gatewayTo("http://127.0.0.1:9");
  await (await post(`${dead.url}/v1/chat/completions`, { messages: [] })).text();
  const all = await spans(2);
  await dead.stop();
  const failed = all.filter(({ status }) => status.code === SpanStatusCode.ERROR);
  expect(failed.map(({ name }) => name).toSorted()).toEqual(["chat", "upstream"]);
  expect(failed.find(({ name }) => name === "chat")!.attributes["http.response.status_code"]).toBe(502);
});

test("where nobody collects spans, the client's trace context goes on as it came", async () => {
  trace.disable();
  const quiet = await gatewayTo(talk.provider.url);
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const [chat] = wires as readonly [Wire];
  const headers = { traceparent, tracestate: "vendor=1" };
  await (await post(`${quiet.url}${chat.path}`, chat.body([chat.user("hi")]), headers)).text();
  await quiet.stop();
  expect(talk.provider.received[0]!.headers).toMatchObject(headers);
  expect(exporter.getFinishedSpans()).toEqual([]);
});

test("[R46] no name and no attribute of a span has a secret that a client named a model or a conversation by", async () => {
  const token = `gh${"p_"}0123456789abcdefghijklmnopqrstuvwxyz`;
  const wire = wires[0]!;
  const body = { ...(wire.body([wire.user("Hello.")]) as object), model: token };
  talk.say = () => ({ text: "Hello.", calls: [] });
  await post(`${talk.gateways[0]!.url}${wire.path}`, body, { "x-pith-conversation": token });
  const all = await spans(1);
  const told = all.map(({ name, attributes, status }) => ({ name, attributes, status }));
  expect(JSON.stringify(told)).toContain("chat [redacted: github]");
  expect(JSON.stringify(told)).not.toContain(token.slice(4));
});
