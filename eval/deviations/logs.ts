/** Logs of services, as their loggers write them. */
import { clock, type Make, many, planted, WORDS } from "./case.ts";

const logfmt: Make = (dice) => {
  const lines = many(dice.int(120, 260), (index) => {
    const path = `/api/v1/${dice.pick(WORDS)}/${dice.int(1, 9_999)}`;
    return `time=2026-03-04T${clock(index * 2)}Z level=info msg="request completed" method=${dice.pick(["GET", "POST", "PUT"])} path=${path} status=200 duration=${dice.int(3, 48)}ms request_id=${dice.hex(12)}`;
  });
  const at = dice.inside(lines.length);
  return { lines: lines.with(at, lines[at]!.replace("status=200", "status=503")), matters: ["status=503"] };
};

const slowRequest: Make = (dice) => {
  const lines = many(dice.int(120, 260), (index) => {
    return `2026-03-04 ${clock(index)}.${dice.int(100, 999)}  INFO 1 --- [nio-8080-exec-${dice.int(1, 10)}] c.e.shop.web.RequestLog : ${dice.pick(["GET", "POST"])} /${dice.pick(WORDS)}/${dice.int(1, 900)} 200 took ${dice.int(4, 60)} ms`;
  });
  const at = dice.inside(lines.length);
  const slow = `took ${dice.int(9_000, 30_000)} ms`;
  return { lines: lines.with(at, lines[at]!.replace(/took \d+ ms/, slow)), matters: [slow] };
};

const springError: Make = (dice) => {
  const lines = many(dice.int(140, 240), (index) => {
    const level = index % 37 === 5 ? "DEBUG" : " INFO";
    return `2026-03-04 ${clock(index)}.${dice.int(100, 999)} ${level} 1 --- [nio-8080-exec-${dice.int(1, 10)}] c.e.shop.${dice.pick(WORDS)}.Service : handled ${dice.pick(WORDS)} ${dice.int(1, 90_000)} in ${dice.int(2, 90)} ms`;
  });
  const told = `could not reserve stock for order ${dice.int(10_000, 99_999)}: lock wait timeout exceeded`;
  const at = dice.inside(lines.length);
  const error = `2026-03-04 ${clock(at)}.417 ERROR 1 --- [nio-8080-exec-3] c.e.shop.stock.Reservations : ${told}`;
  return { lines: planted(lines, at, error), matters: [told] };
};

const jsonLog: Make = (dice) => {
  const lines = many(dice.int(90, 200), (index) =>
    JSON.stringify({
      level: 30,
      time: 1_772_600_000_000 + index * 731,
      pid: 17,
      hostname: `web-${dice.int(1, 4)}`,
      reqId: `req-${dice.hex(4)}`,
      msg: dice.pick(["incoming request", "request completed"]),
      responseTime: dice.int(2, 80) + 0.25,
    }),
  );
  const at = dice.inside(lines.length);
  const msg = `replica ${dice.pick(["eu", "us", "ap"])}-${dice.int(2, 9)} lags by ${dice.int(300, 900)} s`;
  const odd = JSON.stringify({
    level: 40,
    time: 1_772_600_000_000 + at * 731,
    pid: 17,
    hostname: "web-2",
    msg,
  });
  return { lines: planted(lines, at, odd), matters: [msg] };
};

const nginxError: Make = (dice) => {
  const agents = ["Mozilla/5.0 (X11; Linux x86_64)", "curl/8.5.0", "kube-probe/1.29", "Go-http-client/1.1"];
  const lines = many(dice.int(110, 240), (index) => {
    return `10.42.${dice.int(0, 9)}.${dice.int(2, 250)} - - [04/Mar/2026:${clock(index * 3)} +0000] "GET /${dice.pick(WORDS)}/${dice.int(1, 800)} HTTP/1.1" ${dice.pick([200, 200, 200, 304])} ${dice.int(180, 9_000)} "-" "${dice.pick(agents)}"`;
  });
  const at = dice.inside(lines.length);
  const told = `connect() failed (111: Connection refused) while connecting to upstream, client: 10.42.1.${dice.int(2, 250)}`;
  const error = `2026/03/04 ${clock(at * 3)} [error] 29#29: *${dice.int(100, 9_000)} ${told}, server: shop.example.com, request: "GET /cart HTTP/1.1"`;
  return { lines: planted(lines, at, error), matters: [told] };
};

const nginxStatus: Make = (dice) => {
  const lines = many(dice.int(110, 240), (index) => {
    return `10.42.${dice.int(0, 9)}.${dice.int(2, 250)} - - [04/Mar/2026:${clock(index * 3)} +0000] "${dice.pick(["GET", "POST"])} /api/${dice.pick(WORDS)} HTTP/2.0" ${dice.pick([200, 200, 201, 304])} ${dice.int(180, 9_000)}`;
  });
  const at = dice.inside(lines.length);
  return {
    lines: lines.with(at, lines[at]!.replace(/" \d{3} /, '" 504 ')),
    matters: ['" 504 '],
  };
};

const journal: Make = (dice) => {
  const lines = many(dice.int(150, 260), (index) => {
    return `Mar 04 ${clock(index * 5)} node-3 kubelet[1093]: I0304 ${clock(index * 5)}.${dice.int(100_000, 999_999)}    1093 reconciler.go:224] "operationExecutor.VerifyControllerAttachedVolume started for volume \\"kube-api-access-${dice.hex(5)}\\""`;
  });
  const at = dice.inside(lines.length);
  const told = `Memory cgroup out of memory: Killed process ${dice.int(4_000, 32_000)} (node) total-vm:${dice.int(4_000_000, 9_000_000)}kB`;
  return { lines: planted(lines, at, `Mar 04 ${clock(at * 5)} node-3 kernel: ${told}`), matters: [told] };
};

const phase: Make = (dice) => {
  const lines = many(dice.int(150, 300), (index) => {
    return `[${clock(index)}] worker-${dice.int(1, 8)} processed batch ${index + 1} (${dice.int(90, 110)} records, ${dice.int(20, 60)} ms)`;
  });
  const at = dice.inside(lines.length);
  const told = `leadership moved from worker-${dice.int(1, 4)} to worker-${dice.int(5, 8)}`;
  return { lines: planted(lines, at, `[${clock(at)}] coordinator ${told}`), matters: [told] };
};

export const loudLogs: readonly Make[] = [springError, nginxError, journal];
export const quietLogs: readonly Make[] = [logfmt, slowRequest, jsonLog, nginxStatus, phase];
