/**
 * The README's snippet as a reader uses it: pasted into a folder that has Pith installed, compiled under `strict` and run, not a
 * letter changed. Its model is a server on loopback that refuses what a provider would refuse, above all a request over the window.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { projectRoot } from "./listed-tests.ts";

/** Of gpt-4o, which the snippet uses. */
const WINDOW = 128_000;
/** What is typed comes to about twice the window. */
const TYPED_CHARACTERS = 1_000_000;
const KEY = "a-key-that-is-sent";

/** A special token that is typed is text. */
const plain = { disallowedSpecial: new Set<string>() };

interface ModelRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** The folder has the package as npm unpacks it, and the types of Node. */
export async function runReadme(folder: string, name: string): Promise<void> {
  const readme = readFileSync(join(folder, "node_modules", name, "README.md"), "utf8");
  const snippet = /^```ts\n([\s\S]*?)^```/m.exec(readme)?.[1];
  const file = /`([a-z-]+\.mts)`/.exec(readme)?.[1];
  if (!snippet || !file)
    throw new Error("The README has no snippet, or does not say in which file to save it.");
  writeFileSync(join(folder, file), snippet);
  const compiler = join(projectRoot, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "--strict", "--noEmit", "--types", "node", file], {
    cwd: folder,
    stdio: "inherit",
  });
  await chat(folder, file);
}

async function chat(folder: string, file: string): Promise<void> {
  const lines = typedLines();
  const model = await startModel();
  const program = spawn(process.execPath, [file], {
    cwd: folder,
    env: { ...process.env, OPENAI_API_KEY: KEY, OPENAI_BASE_URL: model.url },
    stdio: ["pipe", "pipe", "inherit"],
  });
  program.stdin.end(`${lines.join("\n")}\n`);
  let said = "";
  program.stdout.on("data", (chunk) => {
    said += chunk;
  });
  const code = await new Promise((resolve) => program.on("close", resolve));
  await model.close();
  const answers = said.split("\n").filter((line) => line.startsWith("Answer ")).length;
  const compactions = model.sizes.filter((size, at) => size < (model.sizes[at - 1] ?? 0)).length;
  const told = `the README's snippet: ${lines.length} lines typed, ${answers} answered, at most ${Math.max(...model.sizes)} tokens sent, ${compactions} compactions`;
  if (
    code !== 0 ||
    answers !== lines.length ||
    compactions === 0 ||
    !existsSync(join(folder, ".pith/archive.sqlite"))
  )
    throw new Error(`${told}, exit code ${code}`);
  process.stderr.write(`${told}\n`);
}

/** Pages and source files of this project, as if pasted, one a line. */
function typedLines(): readonly string[] {
  const lines: string[] = [];
  let characters = 0;
  for (const path of globSync(["docs/**/*.md", "src/**/*.ts"], { cwd: projectRoot }).sort()) {
    if (characters > TYPED_CHARACTERS) break;
    const line = `What is ${path} for? ${readFileSync(join(projectRoot, path), "utf8").replace(/\s+/g, " ")}`;
    characters += line.length;
    lines.push(line);
  }
  return lines;
}

/** Counts for itself, without the engine. */
async function startModel() {
  const sizes: number[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { model, messages } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as ModelRequest;
    const tokens = messages.reduce((sum, { content }) => sum + countTokens(content, plain) + 4, 0);
    sizes.push(tokens);
    const fault =
      (incoming.headers.authorization !== `Bearer ${KEY}` && "The key is not the one that was set.") ||
      (incoming.url !== "/v1/chat/completions" && `There is no ${incoming.url}.`) ||
      (tokens > WINDOW && `This model's maximum context length is ${WINDOW} tokens, and you sent ${tokens}.`);
    const message = { role: "assistant", content: `Answer ${sizes.length}.`, refusal: null, annotations: [] };
    const body = fault
      ? { error: { message: fault, type: "invalid_request_error" } }
      : {
          model,
          choices: [{ index: 0, message, finish_reason: "stop" }],
          usage: { prompt_tokens: tokens, completion_tokens: 4 },
        };
    response.writeHead(fault ? 400 : 200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve));
  return { url: `http://127.0.0.1:${port}/v1`, sizes, close };
}
