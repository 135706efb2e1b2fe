/** pith/testing: builders, scripted models and conformance suites for those who extend Pith. */
import "../needed-node.ts";

export type { ArchivePower } from "./archive-check.ts";
export * from "./builders.ts";
export * from "./model-server.ts";
export { scriptedSummarizer } from "./scripted-summarizer.ts";
export { type ArchiveUnderTest, testArchive } from "./test-archive.ts";
export { type TestRunner, testFormat } from "./test-format.ts";
export { testSummarizer } from "./test-summarizer.ts";
