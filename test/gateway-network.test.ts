/** The gateway's two ends on the network: TLS towards clients, a proxy towards the upstream. */
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { afterAll, expect, test } from "vitest";
import { gatewaySettings } from "../src/cli/gateway-command.ts";
import { readProxies } from "../src/http/proxies.ts";
import { type Certificate, createCertificate } from "./certificates.ts";
import { wires } from "./gateway-wires.ts";
import { eventsOf, gatewayTo, post, speaking, startProvider } from "./gateway-world.ts";
import { keysFile } from "./keyring-of.ts";
import { program, runPith } from "./run-pith.ts";
import { startProxy } from "./start-proxy.ts";
import { until } from "./until.ts";

const folder = mkdtempSync(join(tmpdir(), "pith-network-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [first, second] = ["first", "second"].map((name) =>
  createCertificate(folder, name, "IP:127.0.0.1"),
) as [Certificate, Certificate];
const [chat] = wires;
const hello = chat!.body([chat!.user("hi")]);

/** The name in the certificate that a server shows. */
const shownBy = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connectTls({ port: Number(new URL(url).port), rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on("error", reject);
  });

/** A request whose server must show this certificate. */
function askTls(
  url: string,
  ca: Buffer,
  body: unknown,
): Promise<{ status?: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method: "POST", ca, agent: false }, async (answer) => {
      let text = "";
      for await (const chunk of answer) text += chunk;
      resolve({ status: answer.statusCode, text });
    });
    asking.on("error", reject);
    asking.end(JSON.stringify(body));
  });
}

test("with a certificate it speaks TLS, and follows its files without dropping anybody", async () => {
  const provider = await startProvider(speaking(() => ({ text: "Hello.", calls: [] })));
  const tls = { cert: join(folder, "used.cert"), key: join(folder, "used.key") };
  const use = ({ cert, key }: Certificate): void => {
    copyFileSync(cert, tls.cert);
    copyFileSync(key, tls.key);
  };
  use(first);
  const gateway = await gatewayTo(provider.url, { tls });
  expect(gateway.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const answer = await askTls(`${gateway.url}${chat!.path}`, readFileSync(first.cert), hello);
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining("Hello.")]);
  expect(provider.received[0]!.headers.host).toBe(new URL(provider.url).host);

  copyFileSync(second.cert, tls.cert);
  gateway.reload!();
  expect(eventsOf(gateway, "tls-unchanged")[0]).toMatchObject({
    reason: expect.stringMatching(/key|match/i),
  });
  expect(await shownBy(gateway.url)).toBe("first");
  // Of the files alone, without a signal.
  use(second);
  await until(() => eventsOf(gateway, "tls-reloaded").length > 0);
  expect(await shownBy(gateway.url)).toBe("second");
  await expect(post(`http://${new URL(gateway.url).host}${chat!.path}`, hello)).rejects.toThrow();
  await gateway.stop();
  await provider.close();
}, 60_000);

test("the process takes the certificate by its flags, and reads it again on SIGHUP", async () => {
  const tls = { cert: join(folder, "signal.cert"), key: join(folder, "signal.key") };
  copyFileSync(first.cert, tls.cert);
  copyFileSync(first.key, tls.key);
  const flags = ["--upstream", "http://127.0.0.1:9", "--port", "0", "--archive", "none"];
  const child = spawn(process.execPath, [
    ...[program, "gateway", ...flags, "--tls-cert", tls.cert, "--tls-key", tls.key],
  ]);
  let log = "";
  child.stderr.on("data", (chunk) => {
    log += chunk;
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  await until(() => log.includes('"listening"'));
  const [url] = /https:\/\/127\.0\.0\.1:\d+/.exec(log)!;
  writeFileSync(tls.cert, readFileSync(second.cert));
  writeFileSync(tls.key, readFileSync(second.key));
  child.kill("SIGHUP");
  await until(() => log.includes('"tls-reloaded"'));
  expect(await shownBy(url!)).toBe("second");
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
}, 60_000);

test("files that are no pair are refused before anything listens", async () => {
  const upstream = ["https://a.example"];
  const text = join(folder, "text");
  writeFileSync(text, "no certificate");
  for (const flags of [
    { tlsCert: first.cert },
    { tlsKey: first.key },
    { tlsCert: first.cert, tlsKey: second.key },
    { tlsCert: text, tlsKey: first.key },
    { tlsCert: join(folder, "none"), tlsKey: first.key },
  ])
    expect(() => gatewaySettings({ upstream, ...flags })).toThrow(/--tls-/);
  expect(gatewaySettings({ upstream, tlsCert: first.cert, tlsKey: first.key }).tls).toEqual(first);
});

test("an upstream over TLS is reached through the proxy's tunnel, one for many requests", async () => {
  const { cert, key } = createCertificate(folder, "upstream", "DNS:models.example");
  const upstream = createServer(
    { cert: readFileSync(cert), key: readFileSync(key) },
    (incoming, outgoing) => {
      incoming.resume();
      const { host, "proxy-authorization": told } = incoming.headers;
      incoming.on("end", () => outgoing.end(JSON.stringify({ host, told: told ?? null })));
    },
  );
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const { port } = upstream.address() as AddressInfo;
  const proxy = await startProxy({ password: "hunter22" });
  const environment = {
    ...process.env,
    HTTPS_PROXY: `http://me:hunter22@127.0.0.1:${proxy.port}`,
    NODE_EXTRA_CA_CERTS: cert,
    PITH_ARCHIVE: "none",
  };
  const flags = ["gateway", "--port", "0", "--upstream", `https://models.example:${port}`];
  const child = spawn(process.execPath, [program, ...flags], { env: environment });
  let log = "";
  child.stderr.on("data", (chunk) => {
    log += chunk;
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  await until(() => log.includes('"listening"'));
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(log)!;
  for (let turn = 0; turn < 3; turn++) {
    const answer = await post(`${url}${chat!.path}`, hello);
    expect(await answer.json()).toEqual({ host: `models.example:${port}`, told: null });
  }
  expect(proxy.asked).toEqual([`CONNECT models.example:${port}`]);
  child.kill("SIGTERM");
  await ended;
  expect(log).not.toContain("hunter22");
  proxy.close();
  upstream.close();
  upstream.closeAllConnections();
}, 60_000);

test("an upstream in clear is asked for by the proxy itself; what NO_PROXY names is reached without", async () => {
  const provider = await startProvider(speaking(() => ({ text: "Hello.", calls: [] })));
  const { port } = new URL(provider.url);
  const proxy = await startProxy();
  const HTTP_PROXY = `http://127.0.0.1:${proxy.port}`;
  const upstream = `http://models.example:${port}`;
  const gateway = await gatewayTo(upstream, { proxies: readProxies({ HTTP_PROXY }) });
  expect((await post(`${gateway.url}${chat!.path}`, hello)).status).toBe(200);
  expect(proxy.asked).toEqual([`POST ${upstream}${chat!.path}`]);
  expect(provider.received[0]!.headers.host).toBe(`models.example:${port}`);
  const direct = await gatewayTo(upstream, {
    proxies: readProxies({ HTTP_PROXY, NO_PROXY: ".example" }),
  });
  expect((await post(`${direct.url}${chat!.path}`, hello)).status).toBe(502);
  expect(proxy.asked).toHaveLength(1);
  await Promise.all([gateway.stop(), direct.stop(), provider.close()]);
  proxy.close();
}, 60_000);

test("a proxy that refuses or is not there is named in the answer, without the password", async () => {
  const proxy = await startProxy({ password: "other" });
  for (const [port, why] of [
    [proxy.port, "it answered 407: give USER:PASSWORD@ in HTTPS_PROXY"],
    [9, "ECONNREFUSED"],
  ] as const) {
    const proxies = readProxies({ HTTPS_PROXY: `http://me:hunter22@127.0.0.1:${port}` });
    const gateway = await gatewayTo("https://models.example", { proxies });
    const answer = await post(`${gateway.url}${chat!.path}`, hello);
    const text = await answer.text();
    expect(answer.status).toBe(502);
    expect(text).toContain(`the proxy 127.0.0.1:${port} does not connect to models.example:443`);
    expect(text).toContain(why);
    expect(text + gateway.log.join("")).not.toContain("hunter22");
    await gateway.stop();
  }
  proxy.close();
}, 60_000);

test("doctor shows the proxies without the password, and the certificate", async () => {
  const { stdout } = await runPith(["doctor", "--json"], {
    environment: {
      PITH_UPSTREAM: "https://a.example",
      HTTPS_PROXY: "http://me:hunter22@proxy.example:3128",
      NO_PROXY: "b.example",
      PITH_TLS_CERT: first.cert,
      PITH_TLS_KEY: first.key,
      PITH_KEYS: keysFile({ alpha: "k" }),
    },
  });
  expect(JSON.parse(stdout).gateway).toMatchObject({
    proxies: { https: "proxy.example:3128", except: ["b.example"] },
    tls: first,
  });
  expect(stdout).not.toContain("hunter22");
});
