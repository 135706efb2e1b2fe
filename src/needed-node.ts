/**
 * The Node that is needed, said before anything fails for the want of what it brings: every entry of the package imports
 * this first. What an older Node's own modules lack is not imported by name, which would fail before this is reached.
 */
if (typeof Promise.withResolvers !== "function")
  throw new Error(`Pith needs Node 22.13 or newer, this is ${process.version}. Install a newer Node.`);
