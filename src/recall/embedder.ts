/** Embedder: any function that turns texts into vectors, such as a local MiniLM or a provider's embedding call. */

/** One vector for each text, in order, all of the same length. Lengths need not be 1: they are brought to it. */
export type Embedder = (texts: readonly string[]) => Promise<readonly Float32Array[]>;
