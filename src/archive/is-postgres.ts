/** Whether a name is the address of a PostgreSQL server, and not a file. */
export function isPostgres(where: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(where);
}
