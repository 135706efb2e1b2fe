import { expect, test } from "vitest";
import { proxyFor, readProxies } from "./proxies.ts";

const through = (address: string, environment: Record<string, string>): string | undefined =>
  proxyFor(new URL(address), readProxies(environment))?.host;

test("each protocol has its proxy; lower case goes first; without a scheme it is http", () => {
  const environment = {
    HTTPS_PROXY: "http://a.example:3128",
    https_proxy: "b.example:8080",
    HTTP_PROXY: "c.example",
  };
  expect(through("https://api.openai.com/v1", environment)).toBe("b.example:8080");
  expect(through("http://models.example", environment)).toBe("c.example");
  expect(through("https://api.openai.com", { HTTP_PROXY: "c.example" })).toBeUndefined();
  expect(readProxies({ HTTPS_PROXY: "", NO_PROXY: "x" })).toBeUndefined();
});

test.each([
  ["example.com", "https://api.example.com", true],
  ["example.com", "https://example.com", true],
  ["example.com", "https://myexample.com", false],
  [".example.com", "https://api.example.com", true],
  ["*.example.com", "https://api.example.com", true],
  ["a.example, api.EXAMPLE.com", "https://api.example.com", true],
  ["example.com:8443", "https://api.example.com:8443", true],
  ["example.com:8443", "https://api.example.com", false],
  ["10.0.0.7", "https://10.0.0.7:9000", true],
  ["fd00::7", "https://[fd00::7]", true],
  ["*", "https://api.example.com", true],
  ["", "https://localhost:8443", true],
  ["", "https://127.0.0.1", true],
  ["", "https://[::1]:8443", true],
  ["", "https://api.example.com", false],
])("NO_PROXY %s and %s: reached without a proxy %s", (NO_PROXY, address, isDirect) => {
  expect(through(address, { HTTPS_PROXY: "http://proxy.example", NO_PROXY }) === undefined).toBe(isDirect);
});

test.each(["socks5://proxy.example", "http://", "http://[x"])(
  "refuses the proxy %s without repeating it",
  (address) => {
    expect(() => readProxies({ HTTPS_PROXY: address })).toThrow(/^HTTPS_PROXY is not the address of a proxy/);
  },
);
