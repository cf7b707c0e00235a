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
      return sign(place, said, flaw === "stranger" ? strange : own, flaw === "expired" ? years.over : years.good);
    },
  };
}

/** Long before and long after now: a host whose clock is wrong by hours must find nothing wrong with them, and no clock is needed for one that is over. */
const years = { good: ["2020", "2049"], over: ["2020", "2021"] } as const;
type Years = (typeof years)[keyof typeof years];

function makeRoot(place: string): Pair {
  const pair = request(place, "Lab authority");
  certify(place, pair, years.good, ["basicConstraints=critical,CA:TRUE"]);
  return pair;
}

function sign(place: string, name: string, by: Pair, during: Years): Pair {
  const pair = request(place, name);
  certify(place, by, during, [`subjectAltName=DNS:${name}`, "extendedKeyUsage=serverAuth"]);
  return pair;
}

function request(place: string, name: string): Pair {
  const pair = placeOf(place);
  openssl(["req", "-new", ...newKey, "-subj", `/CN=${name}`, "-keyout", pair.key, "-out", join(place, "request.pem")]);
  return pair;
}

/** The request of a place becomes its certificate. Of what openssl 3.0 has, `ca` alone lets one say when a certificate begins. */
function certify(place: string, by: Pair, [from, to]: Years, extensions: readonly string[]): void {
  const at = (name: string) => join(place, name);
  const own = at("certificate.pem");
  writeFileSync(at("extensions"), `${extensions.join("\n")}\n`);
  writeFileSync(at("index"), "");
  writeFileSync(at("config"), configOf(place));
  const signer = by.certificate === own ? ["-selfsign"] : ["-cert", by.certificate];
  const span = ["-startdate", `${from}0101000000Z`, "-enddate", `${to}0101000000Z`];
  const files = ["-in", at("request.pem"), "-extfile", at("extensions"), "-out", own];
  openssl(["ca", "-batch", "-notext", "-config", at("config"), ...signer, "-keyfile", by.key, ...span, ...files]);
}

function configOf(place: string): string {
  const books = [`database=${join(place, "index")}`, `new_certs_dir=${place}`, "rand_serial=yes"];
  const lab = [...books, "default_md=sha256", "policy=policy"];
  return ["[ca]", "default_ca=lab", "[lab]", ...lab, "[policy]", "commonName=supplied", ""].join("\n");
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

function placeOf(place: string): Pair {
  mkdirSync(place, { recursive: true });
  return { certificate: join(place, "certificate.pem"), key: join(place, "key.pem") };
}

function openssl(words: readonly string[]): void {
  execFileSync("openssl", words, { stdio: ["ignore", "ignore", "pipe"] });
}
