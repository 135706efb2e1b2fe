/** Mutations: for a numbered behaviour, one edit of the sources that switches it off. */
export interface Mutation {
  readonly row: string;
  /** From the project's root. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

const mutation = (row: string, file: string, find: string, replace: string): Mutation => ({
  row,
  file,
  find,
  replace,
});

export const mutations: readonly Mutation[] = [
  mutation("R28", "src/errors/unknown-window-error.ts", '"UNKNOWN_WINDOW",', '"INVALID_OPTIONS",'),
];
