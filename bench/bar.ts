/** Bar: a ratio measured in one run, and how large it may be. */
export interface Bar {
  readonly name: string;
  readonly ratio: number;
  readonly limit: number;
  readonly ok: boolean;
  readonly detail: string;
}

export function bar(name: string, ratio: number, limit: number, detail: string): Bar {
  return { name, ratio, limit, ok: ratio <= limit, detail };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

export function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)]!;
}
