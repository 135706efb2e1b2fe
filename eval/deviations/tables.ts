/** CSV exports, query results and the listings of kubectl, docker, ps and ls. */
import { clock, type Dice, type Make, many, planted, WORDS } from "./case.ts";

type Row = readonly (string | number)[];

function orders(dice: Dice, count: number): Row[] {
  return many(count, (index) => [
    41_000 + index,
    `2026-02-${String(1 + (index % 28)).padStart(2, "0")}`,
    `${dice.pick(WORDS)}@example.com`,
    dice.pick(["paid", "paid", "shipped"]),
    dice.int(900, 9_900) / 100,
    dice.pick(["EUR", "USD"]),
  ]);
}

const COLUMNS = ["order_id", "day", "customer", "state", "total", "currency"];

/** One row changed, or one taken out. */
function changed(
  dice: Dice,
  rows: readonly Row[],
  isLoud: boolean,
): { rows: readonly Row[]; matters: readonly string[]; name: string } {
  const at = dice.inside(rows.length);
  const row = rows[at]!;
  const cell = (column: number, value: string | number): Row => row.with(column, value);
  if (isLoud) {
    const state = dice.pick(["failed", "payment_error"]);
    return { rows: rows.with(at, cell(3, state)), matters: [String(row[0]), state], name: "state" };
  }
  const how = dice.pick(["state", "far", "negative", "missing", "empty"]);
  if (how === "state")
    return { rows: rows.with(at, cell(3, "on_hold")), matters: [String(row[0]), "on_hold"], name: how };
  if (how === "far") {
    const total = dice.int(200_000, 900_000);
    return { rows: rows.with(at, cell(4, total)), matters: [String(row[0]), String(total)], name: how };
  }
  if (how === "negative") {
    const total = -dice.int(100, 999) / 100;
    return { rows: rows.with(at, cell(4, total)), matters: [String(row[0]), String(total)], name: how };
  }
  if (how === "empty") return { rows: rows.with(at, cell(2, "")), matters: [String(row[0])], name: how };
  return {
    rows: rows.toSpliced(at, 1),
    matters: [String(rows[at - 1]![0]), String(rows[at + 1]![0])],
    name: how,
  };
}

function csvWith(isLoud: boolean): Make {
  return (dice) => {
    const { rows, matters } = changed(dice, orders(dice, dice.int(130, 400)), isLoud);
    return {
      toolName: "export_orders",
      lines: [COLUMNS.join(","), ...rows.map((row) => row.join(","))],
      matters,
    };
  };
}

function psqlWith(isLoud: boolean): Make {
  return (dice) => {
    const { rows, matters } = changed(dice, orders(dice, dice.int(110, 300)), isLoud);
    const widths = COLUMNS.map((name, column) =>
      Math.max(name.length, ...rows.map((row) => String(row[column]).length)),
    );
    const line = (row: Row): string =>
      ` ${row.map((cell, column) => (typeof cell === "number" ? String(cell).padStart(widths[column]!) : cell.padEnd(widths[column]!))).join(" | ")}`;
    return {
      command: "psql -c 'select * from orders'",
      lines: [
        line(COLUMNS),
        widths.map((width) => "-".repeat(width + 2)).join("+"),
        ...rows.map(line),
        `(${rows.length} rows)`,
      ],
      matters,
    };
  };
}

function podsWith(state: string, ready: string, restarts: string): Make {
  return (dice) => {
    const row = (cells: readonly string[]): string =>
      cells.map((cell, column) => cell.padEnd([14, 40, 8, 20, 16, 8][column]!)).join("");
    const pod = (name: string): string =>
      `${name}-${dice.hex(9)}-${dice.pick(["x", "q", "z"])}${dice.hex(4)}`;
    const lines = many(dice.int(90, 160), () =>
      row([
        dice.pick(["shop", "kube-system", "monitoring"]),
        pod(`${dice.pick(WORDS)}-${dice.pick(["api", "worker"])}`),
        "1/1",
        "Running",
        "0",
        `${dice.int(2, 40)}d`,
      ]),
    );
    const name = pod(`${dice.pick(WORDS)}-api`);
    return {
      command: "kubectl get pods -A",
      lines: [
        row(["NAMESPACE", "NAME", "READY", "STATUS", "RESTARTS", "AGE"]),
        ...planted(lines, dice.inside(lines.length), row(["shop", name, ready, state, restarts, "3d"])),
      ],
      matters: [name, state],
    };
  };
}

const docker: Make = (dice) => {
  const lines = many(
    dice.int(60, 100),
    () =>
      `${dice.hex(12)}   acme/${dice.pick(WORDS)}:${dice.int(1, 9)}.${dice.int(0, 20)}   "/docker-entrypoint.…"   2 weeks ago   Up ${dice.int(2, 13)} days   0.0.0.0:${dice.int(3_000, 9_000)}->80/tcp   ${dice.pick(WORDS)}-${dice.int(1, 9)}`,
  );
  const name = `${dice.pick(WORDS)}-gone`;
  const odd = `${dice.hex(12)}   acme/${dice.pick(WORDS)}:2.4   "/docker-entrypoint.…"   2 weeks ago   Exited (137) 3 hours ago   ${name}`;
  return {
    command: "docker ps -a",
    lines: [
      "CONTAINER ID   IMAGE   COMMAND   CREATED   STATUS   PORTS   NAMES",
      ...planted(lines, dice.inside(lines.length), odd),
    ],
    matters: ["Exited (137)", name],
  };
};

const ps: Make = (dice) => {
  const line = (user: string, cpu: string, memory: string, command: string): string =>
    `${user.padEnd(9)}${String(dice.int(100, 32_000)).padStart(7)}  ${cpu.padStart(4)}  ${memory.padStart(4)} ${dice.int(10_000, 900_000)} ${dice.int(1_000, 90_000)} ?        S    09:${dice.int(10, 59)}   0:0${dice.int(0, 9)} ${command}`;
  const lines = many(dice.int(100, 160), () =>
    line(
      dice.pick(["root", "root", "www-data", "postgres"]),
      `0.${dice.int(0, 9)}`,
      `0.${dice.int(0, 9)}`,
      `/usr/sbin/${dice.pick(WORDS)}d --config /etc/${dice.pick(WORDS)}.conf`,
    ),
  );
  const command = `/opt/jobs/${dice.pick(WORDS)}-sync`;
  return {
    command: "ps aux",
    lines: [
      "USER         PID  %CPU  %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND",
      ...planted(lines, dice.inside(lines.length), line("root", `${dice.int(340, 790)}`, "61.3", command)),
    ],
    matters: [command],
  };
};

const ls: Make = (dice) => {
  const lines = many(
    dice.int(140, 220),
    (index) =>
      `-rw-r--r-- 1 deploy deploy ${String(dice.int(900, 9_900)).padStart(9)} Mar  4 ${clock(index).slice(0, 5)} part-${String(index).padStart(5, "0")}.parquet`,
  );
  const at = dice.inside(lines.length);
  const name = `part-${String(at).padStart(5, "0")}.parquet`;
  const how = dice.pick(["empty", "owner", "missing"]);
  if (how === "missing") {
    return {
      command: "ls -l out",
      lines: [`total ${dice.int(900, 9_000)}`, ...lines.toSpliced(at, 1)],
      matters: [`part-${String(at - 1).padStart(5, "0")}`, `part-${String(at + 1).padStart(5, "0")}`],
    };
  }
  const odd =
    how === "empty"
      ? lines[at]!.replace(/deploy +\d+ Mar/, "deploy         0 Mar")
      : lines[at]!.replace("deploy deploy", "root   root  ");
  return {
    command: "ls -l out",
    lines: [`total ${dice.int(900, 9_000)}`, ...lines.with(at, odd)],
    matters: [name],
  };
};

export const loudCsv: readonly Make[] = [csvWith(true)];
export const quietCsv: readonly Make[] = [csvWith(false)];
export const loudRows: readonly Make[] = [psqlWith(true)];
export const quietRows: readonly Make[] = [psqlWith(false)];
export const loudListings: readonly Make[] = [
  podsWith("Error", "0/1", "4 (2m ago)"),
  podsWith("ErrImagePull", "0/1", "0"),
];
export const quietListings: readonly Make[] = [
  podsWith("CrashLoopBackOff", "0/1", "17 (40s ago)"),
  podsWith("Pending", "0/1", "0"),
  podsWith("Evicted", "0/1", "0"),
  docker,
  ps,
  ls,
];
