import { expect, test } from "vitest";
import { readUpstreams, upstreamFor } from "./upstream.ts";

const two = readUpstreams(["openai=http://openai.example", "anthropic=http://anthropic.example"]);
const [ofOpenAI, ofAnthropic] = ["sk-proj-aaaaaaaa", "sk-ant-api03-aaaaaaaa"];
const [chat, messages] = ["/v1/chat/completions", "/v1/messages"];

test("a key of the other provider is found in whichever header it is, also beside a right one", () => {
  for (const [target, right, foreign] of [
    [chat, ofOpenAI, ofAnthropic],
    [messages, ofAnthropic, ofOpenAI],
  ] as const) {
    for (const headers of [
      { authorization: `Bearer ${foreign}` },
      { authorization: foreign },
      { "x-api-key": foreign },
      { "api-key": foreign },
      { "x-goog-api-key": foreign },
      { "x-api-key": right, authorization: `Bearer ${foreign}` },
      { authorization: `Bearer ${right}`, "api-key": foreign },
      // As Node joins a header that came twice.
      { "x-api-key": `${right}, ${foreign}` },
    ]) {
      expect(upstreamFor(two, target, headers), `${target} ${JSON.stringify(headers)}`).toBe("foreign-key");
    }
    expect(upstreamFor(two, target, { "x-api-key": right, authorization: `Bearer ${right}` })).toBeInstanceOf(
      URL,
    );
  }
});

test("where the path does not say it, a key in any header says whose a request is", () => {
  const hostFor = (headers: Record<string, string>) => {
    const found = upstreamFor(two, "/v1/models", headers);
    return found instanceof URL ? found.host : found;
  };
  expect(hostFor({ "api-key": ofAnthropic })).toBe("anthropic.example");
  expect(hostFor({ authorization: `Bearer ${ofOpenAI}` })).toBe("openai.example");
  expect(hostFor({ "x-api-key": ofAnthropic, authorization: `Bearer ${ofOpenAI}` })).toBe("foreign-key");
});

test("where both go to one place, no key is foreign there", () => {
  const one = readUpstreams(["http://one.example"]);
  expect(upstreamFor(one, chat, { "x-api-key": ofAnthropic, "api-key": ofOpenAI })).toBeInstanceOf(URL);
});
