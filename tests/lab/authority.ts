import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Why a client must not believe a server: its certificate is not of the authority, is for another name, or is over. */
export type Flaw = "stranger" | "other-name" | "expired";

export interface Pair {
  /** Files in PEM. */
  readonly certificate: string;
  readonly key: string;
}

export interface Authority {
  /** Its own certificate in PEM: what a host has to trust. */
  readonly certificate: string;
  issue(name: string, flaw?: Flaw): Pair;
}

/** A private authority in a directory of its own, as a company has it for its inner names. */
export function makeAuthority(directory: string): Authority {
  const own = makeRoot(join(directory, "own"));
  const strange = makeRoot(join(directory, "strange"));
  let issued = 0;
  return {
    certificate: readFileSync(own.certificate, "utf8"),
    issue: (name, flaw) => {
      const place = join(directory, `issued-${issued++}`);
      const said = flaw === "other-name" ? `not-${name}` : name;
      // The end is before the beginning, so that no clock is needed to be past it.
      return sign(place, said, flaw === "stranger" ? strange : own, flaw === "expired" ? -1 : 2);
    },
  };
}

function makeRoot(place: string): Pair {
  const pair = placeOf(place);
  const words = ["-days", "2", "-subj", "/CN=Lab authority", "-addext", "basicConstraints=critical,CA:TRUE"];
  openssl(["req", "-x509", ...newKey, ...words, "-keyout", pair.key, "-out", pair.certificate]);
  return pair;
}

function sign(place: string, name: string, by: Pair, days: number): Pair {
  const pair = placeOf(place);
  const [request, extensions] = [join(place, "request.pem"), join(place, "extensions")];
  writeFileSync(extensions, `subjectAltName=DNS:${name}\nextendedKeyUsage=serverAuth\n`);
  openssl(["req", ...newKey, "-subj", `/CN=${name}`, "-keyout", pair.key, "-out", request]);
  const words = ["-CA", by.certificate, "-CAkey", by.key, "-days", String(days), "-extfile", extensions];
  openssl(["x509", "-req", "-in", request, ...words, "-CAcreateserial", "-out", pair.certificate]);
  return pair;
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

function placeOf(place: string): Pair {
  mkdirSync(place, { recursive: true });
  return { certificate: join(place, "certificate.pem"), key: join(place, "key.pem") };
}

function openssl(words: readonly string[]): void {
  execFileSync("openssl", words, { stdio: ["ignore", "ignore", "pipe"] });
}
