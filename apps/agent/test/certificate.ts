import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childEnvironment } from "../../../tests/support/child-environment.ts";

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate that is its own authority. */
export function makeCertificate(host: string): Certificate {
  const directory = mkdtempSync(join(tmpdir(), "gha-cert-"));
  const [key, cert] = [join(directory, "key.pem"), join(directory, "cert.pem")] as const;
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const whose = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`, "-days", "2"];
  try {
    const env = childEnvironment();
    execFileSync("openssl", ["req", ...kind, ...whose, "-keyout", key, "-out", cert], { stdio: "pipe", env });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
