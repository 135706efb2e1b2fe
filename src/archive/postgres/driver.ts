/** The driver of PostgreSQL, which only those install who keep an archive there. */
import { loadOptional } from "../../errors/missing-package-error.ts";

/** Throws MissingPackageError. */
export async function loadDriver() {
  return (await loadOptional("pg", "A PostgreSQL archive", () => import("pg"))).default;
}
