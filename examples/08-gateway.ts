/** The gateway: it keeps the requests of a client that does not know about Pith inside the model's window. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createModelServer } from "pith/testing";

const messages = JSON.parse(readFileSync(new URL("./coding-session.json", import.meta.url), "utf8"));
const model = await createModelServer({ reply: { type: "say", text: "All of it is removed." } });

const program = fileURLToPath(new URL("cli/main.js", import.meta.resolve("pith")));
const flags = ["--upstream", model.url, "--port", "0", "--window", "16000", "--archive", "none"];
const gateway = spawn(process.execPath, [program, "gateway", ...flags], {
  stdio: ["ignore", "ignore", "pipe"],
});
const [line] = await once(createInterface(gateway.stderr), "line");
const { url } = JSON.parse(line as string) as { url: string };

/** Any client: it sends the whole history with each request and gets the answer as a stream of events. */
async function ask(question: string): Promise<string> {
  messages.push({ role: "user", content: question });
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "some-model", stream: true, messages }),
  });
  const events = (await response.text()).matchAll(/^data: (\{.*\})$/gm);
  const pieces = [...events].map(([, json]) => JSON.parse(json!).choices[0]?.delta.content ?? "");
  messages.push({ role: "assistant", content: pieces.join("") });
  return pieces.join("");
}

const answers = [await ask("Is anything of the installer left?"), await ask("Are you sure?")];
gateway.kill();
await once(gateway, "close");
await model.close();

const [first, second] = model.requests.map(({ body }) => body.messages as readonly unknown[]);
console.log(`The client sent ${messages.length - 1} messages, the model got ${second!.length}.`);

assert.deepEqual(answers, ["All of it is removed.", "All of it is removed."]);
assert.ok(first!.length < messages.length / 2, "the model gets fewer messages than the client sends");
assert.deepEqual(
  second!.slice(0, first!.length),
  first,
  "what the model has in its cache comes again as it was",
);
assert.equal(second!.length, first!.length + 2, "and only what is new is added");
