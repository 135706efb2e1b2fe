import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { fetchThrough } from "./fetch-through.ts";

test("a request is sent as it was when it was made, whatever becomes of its parts afterwards", async () => {
  const server = createServer((request, response) => response.end(request.headers["x-try"]));
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    const headers = { "x-try": "1" };
    const { port } = server.address() as AddressInfo;
    const answered = fetchThrough(undefined)(`http://127.0.0.1:${port}/`, { headers });
    headers["x-try"] = "2";
    expect(await (await answered).text()).toBe("1");
  } finally {
    server.close();
  }
});
