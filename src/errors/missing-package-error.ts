/** MissingPackageError: a package that only some users need is not installed; its message has the command that installs it. */
import { CompactionError } from "./compaction-error.ts";

/** Pith installs none of these; each by the major version that Pith is tested with. */
export const optionalPackages = { pg: 8, "pg-boss": 12, "@modelcontextprotocol/server": 2 } as const;

export type OptionalPackage = keyof typeof optionalPackages;

export class MissingPackageError extends CompactionError {
  /** What to install, such as "pg@8". */
  readonly install: string;

  constructor(name: OptionalPackage, user: string, cause: unknown) {
    const install = `${name}@${optionalPackages[name]}`;
    super(
      "MISSING_PACKAGE",
      `${user} needs the package ${name}, which is not installed. Install it where Pith is: npm install ${install} ` +
        `(with --global if Pith is global; with npx: npx -p pith -p ${install} pith …).`,
      { cause },
    );
    this.install = install;
  }
}

/**
 * Gives what `load` imports, or says that the package is missing.
 *
 * @param user what needs it, as the message begins: "A PostgreSQL archive"
 * @example const { default: pg } = await loadOptional("pg", "A PostgreSQL archive", () => import("pg"));
 */
export async function loadOptional<Module>(
  name: OptionalPackage,
  user: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    throw isMissing(error, name) ? new MissingPackageError(name, user, error) : error;
  }
}

/** The package itself, not something that it imports in vain. */
function isMissing(error: unknown, name: OptionalPackage): boolean {
  return (
    error instanceof Error &&
    /^(ERR_)?MODULE_NOT_FOUND$/.test(String((error as NodeJS.ErrnoException).code)) &&
    error.message.includes(`'${name}'`)
  );
}
