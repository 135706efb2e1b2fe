/** Certificates for tests: each signed by itself, made by openssl for the names that it is given. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Writes `NAME.cert` and `NAME.key` into the folder. */
export function createCertificate(folder: string, name: string, hosts: string): Certificate {
  const [cert, key] = [join(folder, `${name}.cert`), join(folder, `${name}.key`)];
  execFileSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
      ...["-days", "2", "-subj", `/CN=${name}`, "-addext", `subjectAltName=${hosts}`],
      ...["-keyout", key, "-out", cert],
    ],
    { stdio: "pipe" },
  );
  return { cert, key };
}
