import { expect, test } from "vitest";
import { createMetrics } from "./metrics.ts";

test("the value of a label is masked, short, and quoted as Prometheus reads it", () => {
  const metrics = createMetrics();
  const token = `gh${"p_"}0123456789abcdefghijklmnopqrstuvwxyz`;
  metrics.add("requests", { api: `a "b" \\ c\nd\t${token}` });
  metrics.add("requests", { api: "x".repeat(5_000) });
  const text = metrics.text({ inFlight: 0, waiting: 0, heldBytes: 0 });
  expect(text).toContain('pith_gateway_requests_total{api="a \\"b\\" \\\\ c\\nd\t[redacted: github]"} 1\n');
  expect(text).toContain(`{api="${"x".repeat(200)}"} 1\n`);
});
