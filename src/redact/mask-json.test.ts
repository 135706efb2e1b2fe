import fc from "fast-check";
import { expect, test } from "vitest";
import { maskJson, maskText } from "./mask-json.ts";

const key = `gh${"p_"}aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz1Ab`;

test("[R46] masks in nested fields and says what was masked, in order", () => {
  const source = `{ "name":"x", "settings": {"db": [{"password" : "hunter2!"}, "${key}"]}, "n": 1.50 }`;
  expect(maskJson(source)).toEqual({
    text: '{ "name":"x", "settings": {"db": [{"password" : "[redacted: password]"}, "[redacted: github]"]}, "n": 1.50 }',
    masked: ["password", "github"],
  });
});

test("[R46] follows JSON inside strings inwards, whatever its depth", () => {
  let value: unknown = { password: "hunter2!", note: 'say "hi"\n' };
  for (let depth = 0; depth < 5; depth++) value = { arguments: JSON.stringify(value) };
  const { text, masked } = maskJson(JSON.stringify(value));
  let inner = JSON.parse(text);
  for (let depth = 0; depth < 5; depth++) inner = JSON.parse(inner.arguments);
  expect(inner).toEqual({ password: "[redacted: password]", note: 'say "hi"\n' });
  expect(masked).toEqual(["password"]);
});

test("[R46] knows a value by the name beside it", () => {
  const source = JSON.stringify({
    env: [{ name: "DB_PASSWORD", value: "hunter2!" }],
    args: ["--token", "5iZcHHgrHuuv3x9Q"],
    headers: { Authorization: "Bearer 5iZcHHgrHuuv3x9Q" },
  });
  expect(JSON.parse(maskJson(source).text)).toEqual({
    env: [{ name: "DB_PASSWORD", value: "[redacted: password]" }],
    args: ["--token", "[redacted: secret]"],
    headers: { Authorization: "[redacted: authorization]" },
  });
});

test("a secret that is written with escapes is masked where it stands", () => {
  const escaped = `"caf\\u00e9 \\u0067${key.slice(1)} \\"end\\""`;
  expect(maskJson(escaped).text).toBe('"caf\\u00e9 [redacted: github] \\"end\\""');
});

test("signatures, ids and types in fields are left alone", () => {
  const source = JSON.stringify({
    signature: `EqQBCkYIBRgCKkC${"aB3dE5fG7h/J9kL1+mN2pQ4rS6tU8".repeat(9)}`,
    id: "chatcmpl-aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW",
    password: { type: "string", description: "The password of the user" },
    token: "required",
    password_hint: "name of your first pet",
  });
  expect(maskJson(source)).toEqual({ text: source, masked: [] });
});

test("what is no JSON is masked as text", () => {
  expect(maskJson(`{"cut": "${key}`).text).toBe('{"cut": "[redacted: github]');
  expect(maskText(`key ${key}`)).toEqual({ text: "key [redacted: github]", masked: ["github"] });
});

test("a name that is told only once it is masked tells nothing", () => {
  for (const source of ['["password=hunter2! 0","!!!0"]', '{"password=hunter2! 0":"!!!0"}']) {
    const { text } = maskJson(source);
    expect(text).toBe(source.replace("hunter2!", "[redacted: password]"));
    expect(maskJson(text)).toEqual({ text, masked: [] });
  }
});

const harmlessOrNot = fc.oneof(
  fc.constantFrom(
    key,
    "password=hunter2!",
    "redis://:p4ss!word@cache",
    "-----BEGIN",
    "\\n",
    "\n",
    '"',
    "[redacted: x]",
  ),
  fc.string({ maxLength: 8 }),
);
const name = fc.constantFrom("password", "token", "id", "value", "name", "text", "api_key");
const { value: anyJson } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.array(harmlessOrNot, { maxLength: 5 }).map((pieces) => pieces.join("")),
    fc.integer(),
    fc.constantFrom(null, true),
    fc.dictionary(name, tie("value"), { maxKeys: 4 }),
    fc.array(tie("value"), { maxLength: 4 }),
    tie("value").map((value) => JSON.stringify(value)),
  ),
}));

test("masked JSON has the same shape, and masking it again changes nothing", () => {
  fc.assert(
    fc.property(anyJson, fc.boolean(), (value, indented) => {
      const source = JSON.stringify(value, null, indented ? 2 : 0);
      const { text, masked } = maskJson(source);
      expect(shapeOf(JSON.parse(text))).toEqual(shapeOf(value));
      expect(maskJson(text)).toEqual({ text, masked: [] });
      if (masked.length === 0) expect(text).toBe(source);
    }),
    { numRuns: 2_000, seed: 1 },
  );
});

/** Everything but the strings. */
function shapeOf(value: unknown): unknown {
  if (typeof value === "string") return "";
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value).map(([, inner]) => shapeOf(inner));
}

test("what pairs a call with its result stays, however random it is; a known kind is masked there too", () => {
  const id = "V1StGXR8Z5jdHi6BmyTV1StGXR8Z5jdHi6Bx";
  const message = (pair: string, said: string) =>
    JSON.stringify({ role: "tool", tool_call_id: pair, content: said });
  expect(maskJson(message(id, "done")).masked).toEqual([]);
  expect(maskJson(message("call_1", id)).masked).toEqual(["token"]);
  expect(maskJson(message(`gh${"p_"}0123456789abcdefghijklmnopqrstuvwxyz`, "done")).masked).toEqual([
    "github",
  ]);
  expect(maskJson(message(`the key is ${id}`, "done")).masked).toEqual(["token"]);
});

test("spared names are left alone, but not inside strings that are JSON themselves", () => {
  const spares = new Set(["name"]);
  const token = `gh${"p_"}0123456789abcdefghijklmnopqrstuvwxyz`;
  const own = JSON.stringify({ name: token, list: [{ name: token }] });
  expect(maskJson(own, { spares })).toEqual({ text: own, masked: [] });
  expect(maskJson(JSON.stringify({ entry: own }), { spares }).masked).toEqual(["github", "github"]);
  expect(maskJson(own).masked).toEqual(["github", "github"]);
});
