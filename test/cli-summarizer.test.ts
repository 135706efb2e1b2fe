import { afterAll, beforeAll, expect, test } from "vitest";
import { createModelServer, type ModelServer } from "../src/testing/model-server.ts";
import { signs } from "./planner-signs.ts";
import { runPith } from "./run-pith.ts";
import { startProxy } from "./start-proxy.ts";

let good: ModelServer;
let bad: ModelServer;

beforeAll(async () => {
  good = await createModelServer({
    reply: () => ({
      type: "say",
      text: "The release workflow was changed to build MSIX only. Nothing else was touched.",
    }),
  });
  bad = await createModelServer({ reply: () => ({ type: "fail", status: 500 }) });
});
afterAll(async () => {
  await good.close();
  await bad.close();
});

const compact = (url: string, key: string, environment: Record<string, string> = {}) =>
  runPith(
    [
      "compact",
      "examples/coding-session.json",
      "--target",
      "20%",
      "--summarizer",
      url,
      "--summarizer-model",
      "m",
    ],
    { environment: { PITH_SUMMARIZER_KEY: key, ...environment } },
  );

test("a summarizer named on the command line writes the narrative, with the key from the environment", async () => {
  const { exitCode, stdout, stderr } = await compact(`${good.url}/v1`, "sk-test-1234567890abcdef");
  expect(exitCode).toBe(0);
  expect(stdout).toContain("The release workflow was changed to build MSIX only.");
  expect(stderr).toMatch(/summary by .*put back/);
  expect(stdout + stderr).not.toContain("sk-test-1234567890abcdef");
  expect(JSON.stringify(good.requests[0]!.headers)).toContain("sk-test-1234567890abcdef");
});

test("[R9] a model's text is told in its own words, as what a model wrote for this hand-off", async () => {
  const done = Array.from({ length: 27 }, (_, at) => `Part ${at + 1} is finished, tested and committed.`);
  const text = ["Plan:", ...done, "## Next steps", "- [ ] Tell the user", "- [x] Please publish"].join("\n");
  const writer = await createModelServer({ reply: () => ({ type: "say", text }) });
  const { exitCode, stdout } = await compact(`${writer.url}/v1`, "k");
  await writer.close();
  const messages: readonly { readonly content: unknown }[] = JSON.parse(stdout);
  const handoff = messages.map(({ content }) => String(content)).find((each) => each.startsWith("[Pith"))!;
  expect([exitCode, handoff]).toEqual([0, expect.stringContaining(`\n${signs.summary(text)}\n`)]);
  expect(handoff).not.toMatch(/Earlier summary|had planned|What was planned/);
  expect(handoff.split("\n")[1]).toMatch(signs.saysSummary);

  const body = JSON.stringify([...messages, { role: "user", content: "Go on with it." }]);
  const again = await runPith(["compact", "-", "--target", "90%"], { input: body });
  expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining(`${signs.earlier}Plan:`)]);
});

test("[F49] several are asked in their order, each with its own model and key", async () => {
  const asked = [good, bad].map(({ requests }) => requests.length) as [number, number];
  const { exitCode, stdout, stderr } = await runPith(
    [
      ...["compact", "examples/coding-session.json", "--target", "20%"],
      ...["--summarizer", `${bad.url}/v1`, "--summarizer", `${good.url}/v1`],
      ...["--summarizer-model", "first", "--summarizer-model", "second"],
    ],
    { environment: { PITH_SUMMARIZER_KEY: "key-of-first key-of-second" } },
  );
  expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/summary by second at/)]);
  expect(stdout).toContain("The release workflow was changed to build MSIX only.");
  const [one, other] = [bad.requests[asked[1]]!, good.requests[asked[0]]!];
  expect([one.body.model, one.headers.authorization]).toEqual(["first", "Bearer key-of-first"]);
  expect([other.body.model, other.headers.authorization]).toEqual(["second", "Bearer key-of-second"]);
});

test("[R30] when it fails, the hand-off is the deterministic one, and the report says why", async () => {
  const { exitCode, stdout, stderr } = await compact(`${bad.url}/v1`, "k");
  expect(exitCode).toBe(0);
  expect(stdout).toContain("[Pith hand-off]");
  expect(stderr).toMatch(/no summary: .*The hand-off is the deterministic one/);
});

test("[R30] where there is no room for a summary, nobody is asked, and the report says that and no failure", async () => {
  const asked = good.requests.length;
  const { exitCode, stdout, stderr } = await runPith([
    ...["compact", "examples/coding-session.json", "--target", `${signs.noRoom}`],
    ...["--summarizer", `${good.url}/v1`, "--summarizer-model", "m"],
  ]);
  expect([exitCode, good.requests.length]).toEqual([0, asked]);
  expect(stdout).toContain("[Pith hand-off]");
  expect(stderr).toContain(
    "no summary: No summarizer was asked: the hand-off has no room for a summary. The hand-off is the deterministic one.",
  );
});

test("it is reached through the proxy of the environment, unless NO_PROXY names it", async () => {
  const proxy = await startProxy();
  const HTTP_PROXY = `http://127.0.0.1:${proxy.port}`;
  const url = `${good.url.replace("127.0.0.1", "models.example")}/v1`;
  const { stdout, stderr } = await compact(url, "k", { HTTP_PROXY });
  expect(stderr).toMatch(/summary by m at models\.example/);
  expect(stdout).toContain("The release workflow was changed to build MSIX only.");
  expect(proxy.asked).toEqual([`POST ${url}/chat/completions`]);
  const direct = await compact(url, "k", { HTTP_PROXY, NO_PROXY: ".example" });
  expect([direct.exitCode, direct.stderr]).toEqual([
    0,
    expect.stringMatching(/no summary: .*models\.example/),
  ]);
  expect(proxy.asked).toHaveLength(1);
  proxy.close();
});
