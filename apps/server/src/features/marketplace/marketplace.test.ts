import { isFault } from "@gatehouse/contract";
import { describe, expect, test } from "vitest";
import { openMarketplace } from "./index.ts";
import { marketplaceLimits } from "./parse-marketplace.ts";

const netguard = {
  id: "netguard",
  name: "Netguard",
  publisher: "gatehouse",
  version: "1.2.0",
  summary: "Firewall zones for the whole fleet.",
  homepage: "https://example.com/netguard",
  capabilities: ["host:firewall"],
  artifactSha256: "a".repeat(64),
};

async function open(text: string | Uint8Array): Promise<unknown> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  try {
    return await openMarketplace({ file: "/m.json", readFile: () => Promise.resolve(bytes) });
  } catch (error) {
    if (!isFault(error)) throw error;
    return `${error.code}: ${error.detail}`;
  }
}

const withEntry = (more: object) => JSON.stringify({ entries: [{ ...netguard, ...more }] });

describe("the marketplace file", () => {
  test("is not needed, and its entries are sorted by id", async () => {
    expect(await openMarketplace({ file: undefined, readFile: () => Promise.reject(new Error("read")) })).toEqual([]);
    const text = JSON.stringify({ entries: [{ ...netguard, id: "zeta" }, netguard] });
    expect(await open(text)).toMatchObject([{ id: "netguard" }, { id: "zeta" }]);
  });

  test("that cannot be read stops the start and says why", async () => {
    const opening = openMarketplace({
      file: "/m.json",
      readFile: () => Promise.reject(new Error("there is no such file")),
    });
    await expect(opening).rejects.toMatchObject({
      code: "marketplace.unreadable",
      detail: "SERVICE_MARKETPLACE_FILE: cannot read /m.json: there is no such file",
    });
  });

  test.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["a key written twice", '{"entries":[],"entries":[]}'],
    ["a field that is not known", JSON.stringify({ entries: [], install: true })],
    ["a field of an entry that is not known", withEntry({ url: "https://example.com/bundle.tar" })],
    ["a capability that does not exist", withEntry({ capabilities: ["host:root"] })],
    ["a link that is script", withEntry({ homepage: "javascript:alert(1)" })],
    ["a link with a user", withEntry({ homepage: "https://user@example.com/" })],
    ["a link that reads differently than it leads", withEntry({ homepage: "https://example.com/\u202e" })],
    ["a name that turns the direction", withEntry({ name: "net\u202eguard" })],
    ["a summary of two lines", withEntry({ summary: "a\nb" })],
    ["an id that is a path", withEntry({ id: "../etc" })],
    ["one id twice", JSON.stringify({ entries: [netguard, netguard] })],
    [
      "too many entries",
      JSON.stringify({ entries: Array.from({ length: marketplaceLimits.entries + 1 }, () => netguard) }),
    ],
    ["bytes that are no text", new Uint8Array([0xff, 0xfe])],
  ])("with %s stops the start and names the place", async (_what, text) => {
    expect(await open(text)).toMatch(/^marketplace\.invalid: SERVICE_MARKETPLACE_FILE \(\/m\.json\): \//);
  });
});
