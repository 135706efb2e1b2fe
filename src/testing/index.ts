/** pith/testing: builders and conformance suites for those who extend Pith. */
export * from "./builders.ts";
export { type TestRunner, testFormat } from "./test-format.ts";
