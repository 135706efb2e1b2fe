/** Loads a package that `npm run eval:peers` installed here. They are no dependencies of Pith, so nothing imports them by name. */
import { existsSync } from "node:fs";
import { join } from "node:path";

/** The package's exports, in the shape that the caller needs of them. */
export async function loadPeer<Exports>(specifier: string): Promise<Exports> {
  return (await import(specifier)) as Exports;
}

export function isInstalled(packageName: string): boolean {
  return existsSync(join(import.meta.dirname, "node_modules", packageName, "package.json"));
}
