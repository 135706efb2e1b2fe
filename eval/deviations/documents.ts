/** JSON lists, HTML pages, stack traces and sessions of several commands. */
import { clock, type Dice, type Make, many, planted, WORDS } from "./case.ts";

interface Device {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly firmware: string;
  readonly battery: number;
  readonly last_seen: string;
  readonly tags: readonly string[];
}

function devices(dice: Dice, count: number): Device[] {
  return many(count, (index) => ({
    id: `dev_${dice.hex(8)}`,
    name: `${dice.pick(WORDS)}-sensor-${index}`,
    status: dice.pick(["online", "online", "online", "idle"]),
    firmware: dice.pick(["4.2.1", "4.2.1", "4.2.0"]),
    battery: dice.int(55, 99),
    last_seen: `2026-03-04T${clock(index * 7)}Z`,
    tags: [dice.pick(WORDS), dice.pick(WORDS)],
  }));
}

function jsonWith(
  changes: readonly ((dice: Dice) => readonly [Partial<Record<keyof Device | "error", unknown>>, string])[],
): Make {
  return (dice) => {
    const items: object[] = devices(dice, dice.int(60, 200));
    const at = dice.inside(items.length);
    const [change, told] = dice.pick(changes)(dice);
    const odd = { ...items[at]!, ...change } as Device;
    const value = { object: "list", has_more: false, data: items.with(at, odd) };
    const text = JSON.stringify(value, null, dice.pick([0, 2]));
    return { toolName: "list_devices", lines: text.split("\n"), matters: [odd.id, told] };
  };
}

export const loudJson: readonly Make[] = [
  jsonWith([
    () => [{ status: "failed" }, "failed"],
    (dice) => {
      const error = `handshake failed: certificate of gateway-${dice.int(2, 9)} is not trusted`;
      return [{ error }, error];
    },
  ]),
];
export const quietJson: readonly Make[] = [
  jsonWith([
    () => [{ status: "quarantined" }, "quarantined"],
    (dice) => {
      const battery = -dice.int(2, 40);
      return [{ battery }, String(battery)];
    },
    (dice) => {
      const battery = dice.int(4_000, 9_000);
      return [{ battery }, String(battery)];
    },
    () => [{ last_seen: null }, "null"],
    () => [{ firmware: "1.0.3-beta" }, "1.0.3-beta"],
  ]),
];

function page(isLoud: boolean): Make {
  return (dice) => {
    const link = (): string =>
      `<li class="nav__item nav__item--level-2"><a class="nav__link" href="/${dice.pick(WORDS)}/${dice.pick(WORDS)}" data-track="nav-${dice.hex(6)}">${dice.pick(WORDS)} ${dice.pick(WORDS)}</a></li>`;
    const limit = dice.int(120, 900);
    const fact = isLoud
      ? `Requests beyond the limit fail with error ${dice.pick([429, 420])} and a Retry-After header of ${limit} seconds.`
      : `Each key may send ${limit} requests per minute, counted over a sliding window of ${dice.int(2, 9)} minutes.`;
    const filler = many(
      9,
      () =>
        `<p class="doc-text">The ${dice.pick(WORDS)} API lets an application read and change the ${dice.pick(WORDS)} of an account. Every call is made over HTTPS, and answers are sent as JSON. See the page on the ${dice.pick(WORDS)} API for what a token may do.</p>`,
    );
    const lines = [
      "<!DOCTYPE html>",
      '<html lang="en"><head><meta charset="utf-8"><title>Rate limits | Acme Docs</title>',
      ...many(
        12,
        () =>
          `<link rel="preload" href="/static/chunks/${dice.hex(16)}.js" as="script" crossorigin="anonymous">`,
      ),
      `<script>window.__DATA__=${JSON.stringify(many(30, () => ({ id: dice.hex(8), section: dice.pick(WORDS), weight: dice.int(1, 99) })))}</script>`,
      '</head><body><header class="site-header"><nav aria-label="Main"><ul>',
      ...many(60, link),
      '</ul></nav></header><main id="content"><article>',
      "<h1>Rate limits</h1>",
      ...planted(filler, dice.int(2, 7), `<p class="doc-text">${fact}</p>`),
      "</article></main>",
      '<aside class="related"><ul>',
      ...many(25, link),
      '</ul></aside><footer class="site-footer"><ul>',
      ...many(30, link),
      "</ul><p>© 2026 Acme Inc. All rights reserved.</p></footer></body></html>",
    ];
    return { toolName: "WebFetch", lines, matters: [fact] };
  };
}

export const loudPages: readonly Make[] = [page(true)];
export const quietPages: readonly Make[] = [page(false)];

const javaTrace: Make = (dice) => {
  const frames = (count: number, of: string): readonly string[] =>
    many(
      count,
      () =>
        `\tat ${of}.${dice.pick(WORDS)}.${dice.pick(["Filter", "Handler", "Invoker", "Proxy"])}${dice.int(1, 40)}.${dice.pick(["doFilter", "invoke", "proceed", "intercept"])}(${dice.pick(["Filter", "Handler"])}.java:${dice.int(20, 900)})`,
    );
  const cause = `Caused by: org.postgresql.util.PSQLException: Connection to db-${dice.int(2, 9)}.internal:5432 refused. Check that the hostname and port are correct.`;
  const place = `\tat com.acme.orders.OrderStore.load(OrderStore.java:${dice.int(20, 400)})`;
  return {
    command: "docker logs orders",
    lines: [
      "Exception in thread \"main\" org.springframework.beans.factory.BeanCreationException: Error creating bean with name 'orderStore'",
      ...frames(75, "org.springframework.beans"),
      `Caused by: com.zaxxer.hikari.pool.HikariPool$PoolInitializationException: Failed to initialize pool`,
      ...frames(60, "com.zaxxer.hikari"),
      cause,
      place,
      ...frames(30, "org.postgresql.core"),
      "\t... 58 more",
    ],
    matters: [cause],
  };
};

const pythonTrace: Make = (dice) => {
  const frames = many(dice.int(60, 80), () => [
    `  File "/usr/lib/python3.12/site-packages/${dice.pick(WORDS)}/${dice.pick(WORDS)}.py", line ${dice.int(20, 900)}, in ${dice.pick(WORDS)}_${dice.pick(WORDS)}`,
    `    return self.${dice.pick(WORDS)}.${dice.pick(["send", "run", "call"])}(request, **kwargs)`,
  ]);
  const told = `KeyError: '${dice.pick(WORDS)}_region'`;
  const place = `File "/app/jobs/${dice.pick(WORDS)}.py", line ${dice.int(20, 300)}, in main`;
  return {
    command: "python -m jobs.nightly",
    lines: ["Traceback (most recent call last):", `  ${place}`, "    run(settings)", ...frames.flat(), told],
    matters: [told, place],
  };
};

const threads: Make = (dice) => {
  const thread = (
    name: string,
    state: string,
    top: string,
    more: readonly string[] = [],
  ): readonly string[] => [
    `"${name}" #${dice.int(20, 400)} prio=5 os_prio=0 cpu=${dice.int(10, 900)}.${dice.int(10, 99)}ms tid=0x00007f${dice.hex(10)} nid=0x${dice.hex(4)}`,
    `   java.lang.Thread.State: ${state}`,
    `\tat ${top}`,
    ...more,
    "\tat java.lang.Thread.run(java.base@21/Thread.java:1583)",
    "",
  ];
  const lines = many(dice.int(50, 70), (index) =>
    thread(
      `http-nio-8080-exec-${index + 1}`,
      "WAITING (parking)",
      "jdk.internal.misc.Unsafe.park(java.base@21/Native Method)",
    ),
  );
  const at = dice.inside(lines.length);
  const lock = `- waiting to lock <0x${dice.hex(16)}> (a com.acme.cart.CartLock)`;
  const odd = thread(
    `http-nio-8080-exec-${at + 1}`,
    "BLOCKED (on object monitor)",
    `com.acme.cart.Cart.add(Cart.java:${dice.int(20, 300)})`,
    [`\t${lock}`],
  );
  return {
    command: "jstack 1",
    lines: lines.with(at, odd).flat(),
    matters: ["BLOCKED (on object monitor)", lock],
  };
};

const goroutines: Make = (dice) => {
  const goroutine = (state: string, at: string): readonly string[] => [
    `goroutine ${dice.int(10, 9_000)} [${state}]:`,
    `${at}(0xc000${dice.hex(6)})`,
    `\t/src/internal/${dice.pick(["pool", "queue"])}/worker.go:${dice.int(40, 60)} +0x${dice.hex(2)}`,
    "",
  ];
  const lines = many(dice.int(70, 90), () =>
    goroutine("select", "github.com/acme/shop/internal/pool.(*Worker).loop"),
  );
  const state = `semacquire, ${dice.int(40, 90)} minutes`;
  const at = dice.inside(lines.length);
  return {
    command: "curl localhost:6060/debug/pprof/goroutine?debug=2",
    toolName: "fetch_profile",
    lines: lines.with(at, goroutine(state, "github.com/acme/shop/internal/ledger.(*Book).Close")).flat(),
    matters: [state],
  };
};

export const loudTraces: readonly Make[] = [javaTrace, pythonTrace];
export const quietTraces: readonly Make[] = [threads, goroutines];

function session(
  end: (dice: Dice) => { readonly lines: readonly string[]; readonly matters: readonly string[] },
): Make {
  return (dice) => {
    const status = many(30, () => `\tmodified:   src/${dice.pick(WORDS)}/${dice.pick(WORDS)}.ts`);
    const install = many(
      60,
      () =>
        `npm http fetch GET 200 https://packages.example.org/${dice.pick(WORDS)}-${dice.pick(WORDS)} ${dice.int(20, 400)}ms (cache miss)`,
    );
    const copy = many(70, () => `'dist/${dice.pick(WORDS)}.js' -> '/srv/app/${dice.pick(WORDS)}.js'`);
    const { lines, matters } = end(dice);
    const at = dice.int(0, 2);
    const parts = [
      ["On branch main", "Changes not staged for commit:", ...status, ""],
      [...install, "", `added ${dice.int(300, 900)} packages in ${dice.int(8, 60)}s`],
      [...copy],
    ];
    return {
      command: "git status; npm ci; cp -rv dist /srv/app; ./deploy.sh",
      lines: [...parts.slice(0, at), lines, ...parts.slice(at)].flat(),
      matters,
    };
  };
}

export const loudMixed: readonly Make[] = [
  session((dice) => {
    const told = `./deploy.sh: line ${dice.int(4, 40)}: kubectl: command not found`;
    return { lines: ["deploying", told], matters: [told] };
  }),
  session((dice) => {
    const told = `fatal: unable to access 'https://git.example.com/acme/${dice.pick(WORDS)}.git/': Could not resolve host: git.example.com`;
    return { lines: ["Cloning into 'shop'...", told], matters: [told] };
  }),
];
export const quietMixed: readonly Make[] = [
  session((dice) => {
    const told = `HTTP/1.1 ${dice.pick([502, 503])} `;
    return {
      lines: ["GET https://shop.example.com/health", `${told}`, "server: envoy"],
      matters: [told.trim()],
    };
  }),
  session((dice) => {
    const told = `/dev/sda1        98G   98G  ${dice.int(2, 90)}M 100% /`;
    return {
      lines: [
        "Filesystem      Size  Used Avail Use% Mounted on",
        told,
        "tmpfs           3.1G     0  3.1G   0% /dev/shm",
      ],
      matters: [told],
    };
  }),
  session((dice) => {
    const told = `deployed revision ${dice.hex(7)} to 2 of 3 hosts`;
    return { lines: [told], matters: [told] };
  }),
];
