import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as contract from "@gatehouse/contract/routes";
import { isFault } from "@gatehouse/contract";
import { expect, onTestFinished, test } from "vitest";
import { netguard, pluginFolder, startPluginServer } from "./plugin-server.ts";

const entry = (id: string) => ({
  id,
  name: "A plugin",
  publisher: "gatehouse",
  version: "1.2.0",
  summary: "Does something.",
  capabilities: ["host:firewall"],
});

function marketplaceFile(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-marketplace-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, "marketplace.json"), text);
  return join(directory, "marketplace.json");
}

interface Listed {
  readonly items: readonly { id: string; placed: boolean; steps: string[]; capabilities: unknown; homepage: null }[];
  readonly nextCursor: string | null;
}

test("lists the metadata with the steps to place a bundle, to everybody who is signed in", async () => {
  const folder = pluginFolder();
  folder.place(netguard);
  const text = JSON.stringify({ entries: [entry("wireguard"), entry("netguard"), entry("dns-sync")] });
  const config = { marketplaceFile: marketplaceFile(text) };
  const server = await startPluginServer({ directory: folder.directory, config });
  const { body } = await server.call<Listed>("GET", "/api/marketplace?limit=2", undefined, "stranger");
  expect(body.items.map(({ id, placed }) => [id, placed])).toEqual([
    ["dns-sync", false],
    ["netguard", true],
  ]);
  expect(body.items[0]).toMatchObject({ homepage: null, capabilities: [{ name: "host:firewall", risk: "host" }] });
  expect(body.items[0]?.steps.join(" ")).toContain("Gatehouse downloads nothing");
  expect(JSON.stringify(body)).not.toContain(folder.directory);
  const next = await server.call<Listed>("GET", `/api/marketplace?limit=2&cursor=${body.nextCursor}`);
  expect([next.body.items.map(({ id }) => id), next.body.nextCursor]).toEqual([["wireguard"], null]);
});

test("is empty without a file", async () => {
  const server = await startPluginServer();
  expect((await server.call("GET", "/api/marketplace")).body).toEqual({ items: [], nextCursor: null });
});

test("there is no remote install: one GET is all there is (contract 1)", async () => {
  const paths = (Object.values(contract) as unknown[])
    .filter((row): row is { method: string; path: string } => typeof row === "object" && row !== null && "path" in row)
    // The agent's download is for hosts, and nothing of a plugin.
    .filter(({ path }) => /market|install|download/.test(path) && !path.startsWith("/api/agent/"))
    .map(({ method, path }) => `${method} ${path}`);
  expect(paths).toEqual(["GET /api/marketplace"]);
  const server = await startPluginServer();
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    expect((await server.call(method, "/api/marketplace", { id: "netguard" })).status).toBe(405);
    expect((await server.call(method, "/api/marketplace/netguard", {})).status).toBe(404);
    expect((await server.call(method, "/api/marketplace/netguard/install", {})).status).toBe(404);
  }
});

test.each([
  ["missing", () => "/nowhere/marketplace.json", "marketplace.unreadable"],
  ["a directory", () => tmpdir(), "marketplace.unreadable"],
  ["invalid", () => marketplaceFile('{"entries":[{"id":"netguard"}]}'), "marketplace.invalid"],
])("a file that is set and %s stops the start", async (_what, file, code) => {
  const refusal = await startPluginServer({ config: { marketplaceFile: file() } }).then(
    () => "started",
    (error: unknown) => (isFault(error) ? `${error.kind} ${error.code}` : "a defect"),
  );
  expect(refusal).toBe(`startup ${code}`);
});
