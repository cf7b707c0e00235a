import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openSecrets } from "@gatehouse/store";
import { expect, test } from "vitest";
import { masterKey } from "../../packages/store/src/master-key.ts";
import { counts } from "./support/chance.ts";
import { startServer } from "./support/server.ts";
import { findInSources, productSources, type SourceFile } from "./support/sources.ts";
import { count, tried } from "./support/tried.ts";

/** Netmaker, NetBird, Portainer: the key was in the source, or the nonce was always the same. */
const purposes = ["state-hmac", "key-id", "key-check", "secret/user", "secret/plugin", "witness"];
const place = { kind: "user", id: "user_1", field: "password" };

test("two fresh installations share no sixteen bytes of key material", async (context) => {
  const installs = await Promise.all(Array.from({ length: counts["61 installations"] }, freshInstall));
  let windows = 0;
  for (const [at, own] of installs.entries()) {
    for (const other of installs.slice(at + 1)) {
      const known = new Set(own.flatMap(windowsOf));
      windows += known.size;
      expect(other.flatMap(windowsOf).filter((window) => known.has(window))).toEqual([]);
    }
  }
  tried(context, `${count(installs.length, "installations")}, ${count(windows, "windows of 16 bytes")} compared`);
});

test("nonces never repeat, and the same secret is never sealed to the same bytes", (context) => {
  const secrets = openSecrets(masterKey(Buffer.alloc(32, 7)));
  const rounds = counts["61 nonces"];
  const nonces = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    const [, , nonce = ""] = secrets.seal(place, "the same secret").split(":");
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(rounds);
  for (const nonce of nonces) if (Buffer.from(nonce, "base64url").length !== 12) expect.unreachable(nonce);
  tried(context, count(rounds, "nonces"));
});

test("a sealed secret opens nowhere else and not with one bit changed", (context) => {
  const secrets = openSecrets(masterKey(Buffer.alloc(32, 7)));
  const sealed = secrets.seal(place, "s");
  expect(secrets.open(place, sealed).toString()).toBe("s");
  const [form = "", id = "", nonce = "", text = ""] = sealed.split(":");
  let altered = 0;
  for (const [name, part] of Object.entries({ nonce, text })) {
    const bytes = Buffer.from(part, "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const copy = Buffer.from(bytes);
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const parts =
        name === "nonce" ? [form, id, copy.toString("base64url"), text] : [form, id, nonce, copy.toString("base64url")];
      expect(() => secrets.open(place, parts.join(":")), `${name} bit ${bit}`).toThrow("secret.unreadable");
      altered += 1;
    }
  }
  for (const other of [
    { ...place, kind: "node" },
    { ...place, id: "user_2" },
    { ...place, field: "totp" },
  ]) {
    expect(() => secrets.open(other, sealed)).toThrow("secret.unreadable");
  }
  expect(() => openSecrets(masterKey(Buffer.alloc(32, 8))).open(place, sealed)).toThrow("secret.unreadable");
  tried(context, `${count(altered, "bits")} flipped`);
});

test("the sources hold no key, and every cipher authenticates", (context) => {
  const sources = productSources();
  const ciphers = sources.flatMap(({ text }) =>
    [...text.matchAll(/create(?:C|Dec)ipher(?:iv)?\(\s*([^,)]*)/g)].map((match) => match[1]),
  );
  expect(ciphers.length).toBeGreaterThan(0);
  expect(ciphers.filter((cipher) => !authenticated.has(cipher ?? ""))).toEqual([]);
  expect(findInSources(sources, weak)).toEqual([]);
  // The public half of a key that anybody has: it stands there to be refused by every build that is for hosts, as its own tests hold.
  const refused = "apps/agent/src/trust/release-keys.ts: W2SJycf9Dc9QVF58FkiG70BJHsBsfxsSMEF5foEXU14=";
  expect(findLiteralKeys(sources)).toEqual([refused]);
  tried(context, `${count(sources.length, "source files")}, ${count(ciphers.length, "ciphers")}`);
});

test("the searches find what they look for", () => {
  const bad = (text: string) => [{ path: "x.ts", text }];
  for (const line of [
    'createHash("md5")',
    "crypto.pseudoRandomBytes(8)",
    "iv = Buffer.alloc(12)",
    'createCipher("x")',
  ]) {
    expect(findInSources(bad(line), weak), line).toHaveLength(1);
  }
  expect(findLiteralKeys(bad(`const key = "${"0a1b".repeat(8)}";`))).toHaveLength(1);
  expect(findLiteralKeys(bad("const key = `MIIEvQIBADANBgkqhkiG9w0BAQEFAASC`;"))).toHaveLength(1);
  expect(
    findLiteralKeys(bad('const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";')),
  ).toHaveLength(0);
});

const authenticated: ReadonlySet<string> = new Set(['"aes-256-gcm"', '"chacha20-poly1305"']);
const weak =
  /createCipher\(|"(?:md5|sha1|rc4|des|[a-z0-9-]+-(?:ecb|cbc|ctr))"|pseudoRandomBytes|\b(?:iv|nonce|salt)\b\s*[:=]\s*(?:Buffer\.alloc|new Uint8Array|")/i;
const longLiteral = /["'`]([0-9a-f]{32,}|[A-Za-z0-9+/]{32,}={0,2})["'`]/g;

/** Literals that could be a key: long, with letters and digits mixed, and no alphabet, in which nothing comes twice. */
function findLiteralKeys(sources: readonly SourceFile[]): string[] {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(longLiteral)]
      .map(([, literal = ""]) => literal)
      .filter((literal) => /[0-9]/.test(literal) && /[a-fA-F]/.test(literal) && new Set(literal).size < literal.length)
      .map((literal) => `${path}: ${literal}`),
  );
}

/** The keys of a server that was just installed: its master key, what is derived from it, and what it published. */
async function freshInstall(): Promise<Buffer[]> {
  await using server = await startServer();
  const text = await readFile(join(server.dataDir, "master.key"), "utf8");
  const state = await readFile(join(server.dataDir, "state.json"), "utf8");
  expect(text).toMatch(/^[0-9a-f]{64}\n$/);
  const master = Buffer.from(text.trim(), "hex");
  const key = masterKey(master);
  const published = [...state.matchAll(/"(?:keyCheck|hmac)":"([0-9a-f]{64})"/g)].map((match) =>
    Buffer.from(match[1] ?? "", "hex"),
  );
  expect(published).toHaveLength(2);
  return [master, ...purposes.map((purpose) => key.subkey(purpose)), ...published];
}

function windowsOf(bytes: Buffer): string[] {
  return Array.from({ length: bytes.length - 15 }, (_, at) => bytes.toString("hex", at, at + 16));
}
