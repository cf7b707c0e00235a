import { expect, test } from "vitest";
import { lookupHost, makeLookup, publicAddressOf, strangeAuthority } from "./inside/lookup.ts";
import { findInSources, productSources } from "./support/sources.ts";
import { count, tried } from "./support/tried.ts";

/** Rancher: a flag for a test lab turned the check of certificates off for everybody. */
const switches = [
  /rejectUnauthorized['"]?\]?\s*[:=](?!\s*true\b)/,
  /NODE_TLS_REJECT_UNAUTHORIZED/,
  /checkServerIdentity/,
  /--(?:insecure|tls-min-v1\.0|tls-min-v1\.1|no-check-certificate)\b/,
  /\b(?:curl|wget)\b[^|]*\s-k\b/,
  /(?:strictSSL|strict-ssl|verify_ssl|sslverify)\s*[:=]\s*['"]?(?:false|0|off|no)/i,
  /secureProtocol\s*:|minVersion\s*:\s*["']TLSv1(?:\.1)?["']/,
  /\bsetDefaultCACertificates\b/,
  /ALLOW_SELF_SIGNED|allowSelfSigned|insecureSkipVerify/i,
];

/** They name the switch in order to refuse to work while it is set. */
const refusing = ["apps/cli/src/server/server-address.ts", "apps/agent/src/host/refuse-environment.ts"];

test("no line of the product turns the check of a certificate off", (context) => {
  const sources = productSources().filter(({ path }) => !refusing.includes(path));
  expect(sources.length).toBeGreaterThan(50);
  expect(switches.flatMap((pattern) => findInSources(sources, pattern))).toEqual([]);
  tried(context, `${count(sources.length, "source files")}, ${count(switches.length, "patterns")}`);
});

test("the search finds every way that is known to do it", () => {
  const planted = [
    "const agent = new Agent({ rejectUnauthorized: false });",
    'agent["rejectUnauthorized"] = isLab;',
    'process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";',
    "tls.connect({ checkServerIdentity: () => undefined });",
    "curl -sS -k https://x.test",
    "request({ strictSSL: false })",
    'createSecureContext({ minVersion: "TLSv1.1" })',
    "const options = { insecureSkipVerify };",
  ];
  for (const text of planted) {
    const found = switches.flatMap((pattern) => findInSources([{ path: "x.ts", text }], pattern));
    expect(found.length, text).toBeGreaterThan(0);
  }
});

test("a lookup service without a valid certificate is sent no address", async (context) => {
  const strange = strangeAuthority();
  const certificates = [strange.issue([lookupHost]), strange.issue(["other.example.test"]), strange.issue(["8.8.4.4"])];
  for (const [n, certificate] of certificates.entries()) {
    await using world = await makeLookup((_, response) => void response.end('{"lat":1,"lon":2}'), { certificate });
    const { shown } = await world.look(publicAddressOf(n));
    expect(shown).toMatchObject({ place: null, why: "failed" });
    expect(world.peer.connections()).toBe(1);
    expect(world.peer.seen).toEqual([]);
  }
  tried(context, count(certificates.length, "certificates of an authority that nobody knows"));
});
