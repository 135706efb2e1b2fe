import { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";

/** A proxy that takes every name for this machine, and says what it was asked. */
export async function startProxy({ password }: { password?: string } = {}) {
  const asked: string[] = [];
  const isKnown = (header: string | undefined): boolean =>
    password === undefined || header === `Basic ${Buffer.from(`me:${password}`).toString("base64")}`;
  const server = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    const { port, pathname: path } = new URL(incoming.url!);
    const { method, headers } = incoming;
    incoming.pipe(
      request({ port, path, method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      }),
    );
  });
  server.on("connect", (incoming, socket) => {
    asked.push(`CONNECT ${incoming.url}`);
    socket.on("error", () => {});
    if (!isKnown(incoming.headers["proxy-authorization"]))
      return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    const out = connect(Number(incoming.url!.split(":")[1]), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      out.pipe(socket).pipe(out);
    });
    out.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { port, asked, close };
}
