/** What the gateway is measured with, each in a process of its own: a provider, and a proxy that only passes through. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";

const [role, upstream] = process.argv.slice(2);
const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 256 });

const provide: http.RequestListener = (incoming, outgoing) => {
  incoming.resume().once("end", () => {
    outgoing.writeHead(200, { "content-type": "application/json", "content-length": 2 }).end("{}");
  });
};

const passThrough: http.RequestListener = (incoming, outgoing) => {
  const { method, url, headers } = incoming;
  const onward = http.request(
    `${upstream}${url}`,
    { method, headers, agent } as http.RequestOptions,
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, outgoing, () => {});
    },
  );
  pipeline(incoming, onward, () => {});
};

const server = http.createServer(role === "provider" ? provide : passThrough);
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
