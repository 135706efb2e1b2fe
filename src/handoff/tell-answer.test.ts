import { expect, test } from "vitest";
import { readTurns } from "../reading/read-turns.ts";
import { usedLater } from "../reading/used-later.ts";
import { assistant, call, conversation, result, user, type WireMessage } from "../testing/builders.ts";
import { sameKindIn } from "./same-kind.ts";
import type { Entry } from "./story.ts";
import { tellCalls } from "./tell-deeds.ts";

/** The entries of all calls, as a story tells them. */
function tell(...wire: readonly WireMessage[]): readonly Entry[] {
  return tellAs(undefined, ...wire);
}

function tellAs(fresh: "last" | undefined, ...wire: readonly WireMessage[]): readonly Entry[] {
  const { messages } = conversation(...wire);
  const used = usedLater(messages);
  return readTurns(messages).flatMap(({ steps }) => {
    const sameKind = sameKindIn(steps);
    return steps.flatMap((step) =>
      tellCalls(step, { at: step.at, used, isCured: () => false, sameKind, ...(fresh && { fresh }) }),
    );
  });
}
const dearest = ({ units }: Entry) =>
  units
    .slice(1)
    .toSorted((a, b) => b.worth - a.worth)[0]!
    .text.trim();
const worthIn = ({ units }: Entry, words: string) => units.find(({ text }) => text.includes(words))!.worth;

const looked = (id: string, from: string) => [
  assistant("", call("get_booking", { id }, `call-${id}`)),
  result(JSON.stringify({ id, from, cabin: `cabin of ${id}`, bags: id.length }), { id: `call-${id}` }),
];

test("of lookups of one kind, the one that is named later is told apart from the others", () => {
  const entries = tell(
    user("Cancel my trip."),
    ...looked("R1111", "Rome"),
    ...looked("R2222", "Oslo"),
    ...looked("R3333", "Bonn"),
    assistant("Is it R2222?"),
    user("Yes, R2222."),
  );
  expect(entries.map(({ units }) => units[0]!.text)).toEqual([
    "→ get_booking(id R1111 | R3333)",
    "→ get_booking(id R2222)",
  ]);
});

test("lookups of which none is named, or all are, stand side by side", () => {
  const both = [...looked("R1111", "Rome"), ...looked("R2222", "Oslo")];
  for (const said of ["Which one?", "Is it R1111 or R2222?"]) {
    const [entry, ...more] = tell(user("Cancel my trip."), ...both, assistant(said));
    expect(more).toEqual([]);
    expect(entry!.units[0]!.text).toBe("→ get_booking(id R1111 | R2222)");
  }
});

test("of a list that nobody has spoken of yet, the rows that were spoken of before matter; what the call was given names none", () => {
  const rows = Array.from({ length: 20 }, (_, at) => ({
    date: "2024-05-21",
    flight: `HAT${100 + at}`,
    seats: at,
  }));
  const [entry] = tellAs(
    "last",
    user("Which of my flights is late?"),
    assistant("You have booked HAT107."),
    user("Look it up."),
    assistant("", call("search_flights", { date: "2024-05-21" })),
    result(JSON.stringify(rows)),
  );
  const worth = (at: number) => worthIn(entry!, `HAT${100 + at}`);
  const others = rows.map((_, at) => worth(at)).filter((_, at) => at !== 7);
  expect(worth(7)).toBeGreaterThanOrEqual(Math.max(...others));
});

test("of a flat record, keys that were asked for are facts, figures come before the rest, how to reach somebody last", () => {
  const profile = {
    address1: "12 High Street",
    phone: "82 2 3464 1114",
    tradeable: false,
    sector: "Cars",
    marketCap: 508443974,
    marketCapitalisation: 508443974,
    employees: 4711,
  };
  const [entry] = tell(
    user("What is the market cap of ACME?"),
    assistant("", call("get_info", { symbol: "ACME" })),
    result(JSON.stringify(profile)),
    assistant("Now the news."),
  );
  expect(dearest(entry!)).toBe("marketCap: 508443974");
  expect(entry!.units.filter(({ isFact }) => isFact).map(({ text }) => text.trim())).toEqual([
    "marketCap: 508443974",
  ]);
  expect(worthIn(entry!, "employees")).toBeGreaterThan(worthIn(entry!, "sector"));
  for (const dull of ["address1", "phone", "tradeable", "marketCapitalisation"]) {
    expect(worthIn(entry!, dull)).toBeLessThan(worthIn(entry!, "sector"));
  }
});

test("of a page, what it is called and the sentence with the asked words and a number come before what leads elsewhere", () => {
  const page = [
    "Title: Alligators of the south",
    "[Skip to content](#main)",
    "* [Home](https://example.org/home)",
    "Search results for alligator found west of Texas",
    "Some more words that nobody needs to hear again.",
    "The American alligator was first found in California in 1954, after a release.",
    "Share this with your friends and follow us.",
  ];
  const [entry] = tell(
    user("When was the alligator first found west of Texas?"),
    assistant("", call("visit_page", { url: "https://example.org" })),
    result(page.join("\n")),
    assistant("Let me look further."),
  );
  const facts = entry!.units.filter(({ isFact }) => isFact).map(({ text }) => text.trim());
  expect(facts).toEqual([page[5]]);
  for (const line of [page[0]!, page[5]!])
    for (const other of [page[1]!, page[2]!, page[3]!, page[6]!])
      expect(worthIn(entry!, line)).toBeGreaterThan(worthIn(entry!, other));
});

test("lists that one tool answered in a turn are one table, each row with what its call was given", () => {
  const searched = (from: string, day: string, ...flights: readonly string[]) => [
    assistant("", call("find_flights", { from, day }, `call-${from}`)),
    result(JSON.stringify(flights.map((flight) => ({ flight, from, seats: 9, at: "07:00" }))), {
      id: `call-${from}`,
    }),
  ];
  const [entry, ...others] = tell(
    user("Which is shorter, HAT11 or HAT22?"),
    ...searched("Rome", "2024-05-01", "HAT11", "HAT12"),
    ...searched("Oslo", "2024-05-02", "HAT22"),
    ...searched("Bonn", "2024-05-03"),
  );
  expect(others).toEqual([]);
  const lines = entry!.units.map(({ text }) => text);
  expect(lines[0]).toBe("→ find_flights(from Rome | Oslo | Bonn, day 2024-05-01 | 2024-05-02 | 2024-05-03)");
  expect(lines[1]).toBe("  3 rows, all seats 9, at 07:00; day | flight | from");
  expect(lines).toContain("    2024-05-02 | HAT22 | Oslo");
  expect(worthIn(entry!, "HAT11")).toBeGreaterThan(worthIn(entry!, "HAT12"));
});

test("what a page says of a hit is not told without the hit's own line", () => {
  const hits = [
    "Found 2:",
    "1. [Menus](https://a.example/menus)",
    "Menus were compared in 2015.",
    "2. [Pies](https://a.example/pies)",
    "Pies were baked in 2016.",
  ];
  const [entry] = tell(
    user("Which menus?"),
    assistant("", call("web_search", { query: "menus" })),
    result(hits.join("\n\n")),
  );
  expect(entry!.units.map(({ under }) => under)).toEqual([undefined, 0, 0, 2, 0, 4]);
});

test("a key of several words that says of many what a person says of one is asked for by it", () => {
  const profile = { payment_methods: { card_7: { id: "card_7", brand: "visa" } }, home_towns: "Bonn" };
  const [entry] = tell(
    user("Use my other payment method."),
    assistant("", call("get_profile", {})),
    result(JSON.stringify(profile)),
  );
  const facts = entry!.units.filter(({ isFact }) => isFact).map(({ text }) => text.trim());
  expect(facts).toEqual(["payment_methods: card_7 {brand visa}"]);
});

test("of a page, the line with a price and words of the ask is a fact, what it says of itself to programs is worth nothing", () => {
  const page = [
    '"og:description": "The museum of the city has tickets for children and for adults, all year.",',
    "Tripadvisor (234) • Museum for children in the city",
    "Adults and children - $8.25, grandparents - $7.25",
    "Come and see what is new.",
  ];
  const [entry] = tell(
    user("What do tickets for children cost in the museum of the city?"),
    assistant("", call("visit_page", { url: "https://a.example" })),
    result(page.join("\n")),
  );
  expect(dearest(entry!)).toBe(page[2]);
  expect(entry!.units.find(({ text }) => text.includes("8.25"))!.isFact).toBe(true);
  expect(worthIn(entry!, "og:description")).toBeLessThan(worthIn(entry!, "Tripadvisor"));
});
