import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { ask } from "./ask.ts";
import { policyOf } from "./content-security-policy.ts";
import { startServer, testWithControl, useServer } from "./server-under-test.ts";
import { filesOfShell } from "./shell-page.ts";

/** Contract 4.1, row by row, and the policy below the table. */
const server = useServer();

describe("Dashboard cache headers (server-emitted)", () => {
  test("`/`, `/login`, any other SPA fallback route: `no-cache`", async () => {
    for (const path of ["/", "/login", "/plugins", "/settings/security", "/favicon.ico"]) {
      await expectCacheControl(path, "no-cache");
    }
  });

  test("`/theme-init.js`: `no-cache`", async () => {
    await expectCacheControl("/theme-init.js", "no-cache");
  });

  test("`/assets/*` (content-hashed files): `public, max-age=31536000, immutable`", async () => {
    for (const path of await assets()) await expectCacheControl(path, "public, max-age=31536000, immutable");
  });

  test("the names under `/assets/` carry a hash, so they may be kept for ever", async () => {
    for (const path of await assets()) expect(path).toMatch(/\.[0-9a-f]{12}\.\w+$/);
  });

  test("the hash is that of what the file holds, save where scripts import each other in a circle and share one", async () => {
    const digests = new Map<string, string[]>();
    for (const path of await assets()) {
      const hash = /\.([0-9a-f]{12})\.\w+$/.exec(path)?.[1] ?? "";
      const response = await fetch(new URL(path, server.baseUrl));
      const digest = createHash("sha256")
        .update(new Uint8Array(await response.arrayBuffer()))
        .digest("hex");
      if (!digest.startsWith(hash)) digests.set(hash, [...(digests.get(hash) ?? []), path]);
    }
    // One circle at most, and of scripts only.
    expect(digests.size).toBeLessThanOrEqual(1);
    for (const path of [...digests.values()].flat()) expect(path).toMatch(/\.js$/);
  });

  test("the value does not depend on the method, the encoding or whether the file has changed", async () => {
    const [asset = ""] = await assets();
    for (const path of ["/", "/theme-init.js", asset]) {
      const plain = await ask(server.baseUrl, path);
      const { etag = "" } = plain.headers;
      const others = [
        await ask(server.baseUrl, { method: "HEAD", path }),
        await ask(server.baseUrl, { path, headers: { "Accept-Encoding": "br" } }),
        await ask(server.baseUrl, { path, headers: { "Accept-Encoding": "gzip" } }),
        await ask(server.baseUrl, { path, headers: { "If-None-Match": etag } }),
      ];
      expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 304]);
      for (const { headers } of others) expect(headers["cache-control"]).toBe(plain.headers["cache-control"]);
    }
  });
});

describe("The dashboard sends a strict Content-Security-Policy: no inline scripts and no eval", () => {
  test("the policy allows scripts of this server and nothing else", async () => {
    const [asset = ""] = await assets();
    for (const path of ["/", "/login", "/theme-init.js", asset, "/assets/nothing.js", "/api/health", "/api/nothing"]) {
      const policy = policyOf(await ask(server.baseUrl, path));
      expect(policy.get("default-src"), path).toEqual(["'none'"]);
      expect(policy.get("script-src"), path).toEqual(["'self'"]);
      for (const looser of ["script-src-elem", "script-src-attr", "object-src", "frame-src"]) {
        expect(policy.get(looser) ?? ["'none'"], `${path} ${looser}`).toEqual(["'none'"]);
      }
      expect(policy.get("base-uri"), path).toEqual(["'none'"]);
      expect(policy.get("frame-ancestors"), path).toEqual(["'none'"]);
      expect(policy.get("connect-src"), path).toEqual(["'self'"]);
    }
  });

  test("the page itself needs no exception: no inline script, no handler attribute, no script address", async () => {
    const { text } = await ask(server.baseUrl, "/");
    const scripts = [...text.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)];
    expect(scripts.length).toBeGreaterThan(0);
    for (const [, attributes, inside] of scripts) {
      expect(attributes).toMatch(/\bsrc="\/[^"]+"/);
      expect(inside?.trim()).toBe("");
    }
    expect(text).not.toMatch(/<[^>]+\son[a-z]+\s*=/i);
    expect(text).not.toMatch(/javascript:/i);
    expect(text).not.toMatch(/<style\b/i);
  });

  test("no script of the page evaluates text", async () => {
    for (const path of (await filesOfShell(server.baseUrl)).filter((file) => file.endsWith(".js"))) {
      const { text } = await ask(server.baseUrl, path);
      expect(text, path).not.toMatch(/\beval\s*\(|\bnew Function\b|\bset(?:Timeout|Interval)\s*\(\s*["'`]/);
    }
  });
});

testWithControl(
  "To keep a third-party analytics beacon, its script host must be added to `script-src` and its collection host to `connect-src`",
  async () => {
    const settings = {
      SERVICE_CSP_SCRIPT_SRC: "https://beacon.example.com",
      SERVICE_CSP_CONNECT_SRC: "https://collect.example.com https://collect.example.net:8443",
    };
    const own = await startServer({ settings });
    const policy = policyOf(await ask(own.baseUrl, "/"));
    expect(policy.get("script-src")).toEqual(["'self'", "https://beacon.example.com"]);
    const collectors = ["https://collect.example.com", "https://collect.example.net:8443"];
    expect(policy.get("connect-src")).toEqual(["'self'", ...collectors]);
    // Nothing else was loosened with it.
    const strict = policyOf(await ask(server.baseUrl, "/"));
    for (const [name, sources] of strict) {
      if (name !== "script-src" && name !== "connect-src") expect(policy.get(name), name).toEqual(sources);
    }
  },
);

async function expectCacheControl(path: string, expected: string): Promise<void> {
  const answer = await ask(server.baseUrl, path);
  expect({ path, status: answer.status }).toEqual({ path, status: 200 });
  expect(answer.headers["cache-control"], path).toBe(expected);
}

async function assets(): Promise<string[]> {
  const found = (await filesOfShell(server.baseUrl)).filter((file) => file.startsWith("/assets/"));
  expect(found.length).toBeGreaterThan(0);
  return found;
}
