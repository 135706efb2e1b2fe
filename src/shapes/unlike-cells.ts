/** Which cells of one column are unlike the others: a number far off, a rare state, a missing value, a break in a sequence. */
import type { Cell } from "./records.ts";

/** Fewer cells than these have no usual. */
const LEAST_CELLS = 12;
/** A value in so small a part of the records is rare. */
const RARE_SHARE = 0.02;
/** Columns with more different values than this are names or ids, not states. */
const MOST_STATES = 24;
/** Outliers of one column that are told: the farthest. */
const FARTHEST = 5;
/** A usual state occurs at least so many times for each time of a rare one. */
const USUAL_TIMES = 4;

/** Counts up to this have zeros among them. */
const SOMETHING = 10;

/** Pairs of position and weight: the more cells have a usual value, the more one without it weighs. */
export function* unlikeCells(cells: readonly Cell[]): Generator<readonly [index: number, weight: number]> {
  if (cells.length < LEAST_CELLS) return;
  const base = Math.log2(cells.length);
  for (const index of rareStates(cells)) yield [index, base + 2];
  for (const index of breaksIn(numberedIn(cells))) yield [index, base + 1];
  const numbers = numbersIn(cells);
  if (numbers.length < LEAST_CELLS || numbers.length * 2 < cells.length) return;
  for (const index of breaksIn(numbers)) yield [index, base + 1];
  for (const index of wrongSigns(numbers)) yield [index, base + 2];
  for (const index of rareZeros(numbers)) yield [index, base + 1];
  for (const { index, reach } of farNumbers(numbers)) yield [index, base + Math.min(4, Math.log10(reach))];
}

interface At {
  readonly index: number;
  readonly value: number;
}

function numbersIn(cells: readonly Cell[]): readonly At[] {
  const numbers: At[] = [];
  cells.forEach((value, index) => {
    if (typeof value === "number" && Number.isFinite(value)) numbers.push({ index, value });
  });
  return numbers;
}

/** The numbers in names that differ in a number only: `part-00017.gz`; none where other names are among them. */
function numberedIn(cells: readonly Cell[]): readonly At[] {
  const numbers: At[] = [];
  let around: string | undefined;
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index];
    if (typeof cell !== "string" || cell.length > 100) return [];
    const match = /^(\D*)(\d{1,15})(\D*)$/.exec(cell);
    if (match === null || (around !== undefined && around !== `${match[1]} ${match[3]}`)) return [];
    around = `${match[1]} ${match[3]}`;
    numbers.push({ index, value: Number(match[2]) });
  }
  return numbers;
}

/** Beyond three times the interquartile range; of many only those about as far as the farthest. */
function farNumbers(numbers: readonly At[]): readonly { index: number; reach: number }[] {
  const sorted = Float64Array.from(numbers, ({ value }) => value).sort();
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)]!;
  const [low, middle, high] = [at(0.25), at(0.5), at(0.75)];
  const reach = Math.max((high - low) * 3, Math.abs(high) * 0.001, Number.EPSILON);
  const far = numbers
    .filter(({ value }) => value < low - reach || value > high + reach)
    .map(({ index, value }) => ({ index, reach: Math.abs(value - middle) / reach }))
    .sort((a, b) => b.reach - a.reach);
  return far.slice(0, FARTHEST).filter((item) => item.reach * 4 >= far[0]!.reach);
}

/** A few negatives among positives, or the other way round. */
function wrongSigns(numbers: readonly At[]): readonly number[] {
  const few = Math.max(1, Math.floor(numbers.length * RARE_SHARE));
  const negative = numbers.filter(({ value }) => value < 0);
  const positive = numbers.filter(({ value }) => value > 0);
  const [rare, usual] = negative.length <= positive.length ? [negative, positive] : [positive, negative];
  return rare.length <= few && usual.length * 2 > numbers.length ? rare.map(({ index }) => index) : [];
}

/** Nothing, where all others have something, and not a little. */
function rareZeros(numbers: readonly At[]): readonly number[] {
  const zeros = numbers.filter(({ value }) => value === 0);
  if (zeros.length > Math.max(1, numbers.length * RARE_SHARE)) return [];
  const isClear = numbers.every(({ value }) => value === 0 || Math.abs(value) >= SOMETHING);
  return isClear ? zeros.map(({ index }) => index) : [];
}

/** Both sides of each break in a column that counts up or down by one step: what is missing was between. */
function breaksIn(numbers: readonly At[]): readonly number[] {
  const steps = new Map<number, number>();
  for (let at = 1; at < numbers.length; at++) {
    const step = numbers[at]!.value - numbers[at - 1]!.value;
    steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  const [usual, times] = [...steps].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0]);
  const breaks = numbers.length - 1 - times;
  if (usual === 0 || breaks === 0 || breaks > Math.max(2, numbers.length * RARE_SHARE)) return [];
  const found = new Set<number>();
  for (let at = 1; at < numbers.length; at++) {
    if (numbers[at]!.value - numbers[at - 1]!.value === usual) continue;
    found.add(numbers[at - 1]!.index).add(numbers[at]!.index);
  }
  return [...found];
}

/** A state, type or absence that few records have, in a column that holds few different ones. */
function rareStates(cells: readonly Cell[]): readonly number[] {
  return usualAndRare(cells) ?? otherTypes(cells);
}

/** The few that are missing, and among numbers the few that are none: ids and names may well be numbers at times. */
function otherTypes(cells: readonly Cell[]): readonly number[] {
  const missing: number[] = [];
  const notNumbers: number[] = [];
  cells.forEach((cell, index) => {
    if (cell === null || cell === undefined || cell === "") missing.push(index);
    else if (typeof cell !== "number") notNumbers.push(index);
  });
  const few = Math.max(1, Math.floor(cells.length * RARE_SHARE));
  return [missing, notNumbers].filter((found) => found.length <= few).flat();
}

/** Where the values are few and most are usual: the positions of those that are not; undefined where they are many. */
function usualAndRare(cells: readonly Cell[]): readonly number[] | undefined {
  const few = Math.max(1, Math.floor(cells.length * RARE_SHARE));
  const positions = new Map<Cell, number[]>();
  for (let index = 0; index < cells.length; index++) {
    const value = stateOf(cells[index]);
    const at = positions.get(value);
    if (at === undefined) positions.set(value, [index]);
    else at.push(index);
    if (positions.size > MOST_STATES) return undefined;
  }
  const all = [...positions.values()];
  const rare = all.filter((at) => at.length <= few);
  const told = rare.flat();
  const leastUsual = Math.min(...all.filter((at) => at.length > few).map((at) => at.length));
  const mostRare = Math.max(0, ...rare.map((at) => at.length));
  const isClear = leastUsual >= mostRare * USUAL_TIMES && told.length <= Math.max(3, cells.length * 0.05);
  return isClear ? told : undefined;
}

/** Long texts are all alike. */
function stateOf(cell: Cell): Cell {
  return typeof cell === "string" && cell.length > 60 ? "a text" : cell;
}
