import { joinToken } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { runJson, runLine } from "../../test/run-commands.ts";
import { at, digest, hello, hostSandbox } from "../../test/sample-plugin.ts";
import { sendJson, sendProblem, startSmallServer } from "../../test/small-server.ts";

/** The operator's verbs against a server that answers as the contract says; the acceptance walk meets the real one. */
const token = joinToken("a".repeat(16), "b".repeat(43));
const rejection = {
  name: "acme-bad",
  code: "bundle.unsigned",
  title: "The manifest carries no signature",
  detail: "expected 1 to 8 signatures; found none",
  todo: "Ask the publisher for a signed bundle.",
  rejectedAt: at,
};

async function surroundings(answers: (path: string, body: string) => unknown) {
  const server = await startSmallServer((response, { path, body }) => sendJson(response, 200, answers(path, body)));
  return { server, environment: { GATEHOUSE_TOKEN: token, GATEHOUSE_SERVER: server.url.origin } };
}

function lifecycle(path: string) {
  const isSecond = path.includes("cursor=acme-hello");
  const items = isSecond ? [{ ...hello, id: "acme-other", available: false }] : [hello];
  return { items, rejections: [rejection], sandbox: hostSandbox, nextCursor: isSecond ? null : "acme-hello" };
}

test("the list goes through all pages and shows rejections with their reasons", async () => {
  const { environment } = await surroundings(lifecycle);
  const { code, out } = await runLine("plugin list", { environment });
  expect(code).toBe(0);
  expect(out).toMatch(/^2 plugins and 1 rejected bundle at /);
  expect(out).toMatch(/acme-hello +1\.1\.0 +acme +installed +absent +5{12} +host:firewall kv:read/);
  expect(out).toMatch(/acme-other .* no bundle /);
  expect(out).toContain("rejected acme-bad: bundle.unsigned: expected 1 to 8 signatures; found none");
  expect(out).toContain("Ask the publisher for a signed bundle.");
  expect(out).toMatch(/\n {2}sandbox of the server: landlock; the weakest that is accepted is landlock \(.*\)\n$/);
  const { found } = await runJson("plugin list", { environment });
  expect(found).toMatchObject({ ok: true, items: [hello, { id: "acme-other" }], rejections: [rejection] });
  expect(found["sandbox"]).toEqual(hostSandbox);
});

test("one plugin is shown with all that is to be confirmed, and with what changed", async () => {
  const { environment } = await surroundings(lifecycle);
  const { code, out } = await runLine("plugin show acme-hello", { environment });
  expect(code).toBe(0);
  expect(out).toMatch(/^acme-hello 1\.1\.0 is installed\.\n/);
  for (const part of [digest, "7".repeat(32), "HOST RISK", "unknown", "now also asks for host:firewall"]) {
    expect(out).toContain(part);
  }
});

test("a rejected bundle is shown with the reason and the exit code 1; an unknown one is refused", async () => {
  const { environment } = await surroundings(lifecycle);
  expect(await runLine("plugin show acme-bad", { environment })).toMatchObject({
    code: 1,
    out: expect.stringContaining("bundle.unsigned"),
  });
  expect(await runLine("plugin show acme-none", { environment })).toMatchObject({
    code: 1,
    err: expect.stringContaining("plugin.unknown"),
  });
});

test("installing sends the digest that is accepted, and prints what was accepted", async () => {
  const { server, environment } = await surroundings(() => hello);
  const { code, out } = await runLine(`plugin install acme-hello --digest ${digest}`, { environment });
  expect(code).toBe(0);
  expect(out).toContain(digest);
  expect(out).toContain("host:firewall");
  await runLine("plugin install acme-hello", { environment });
  await runLine("plugin activate acme-hello", { environment });
  await runLine("plugin disable acme-hello", { environment });
  expect(server.received.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    { id: "acme-hello", status: "installed", artifactSha256: digest },
    // Without a digest none is sent: one that the program read itself would accept a downgrade in the operator's name.
    { id: "acme-hello", status: "installed" },
    { id: "acme-hello", status: "active" },
    { id: "acme-hello", status: "disabled" },
  ]);
});

test("disabling says when something of the runtime was left behind, with the exit code 1", async () => {
  const disabled = { ...hello, status: "disabled" };
  const clean = await surroundings(() => disabled);
  const words = "acme-hello 1.1.0 is disabled: it cannot run and shows nothing.\n";
  expect(await runLine("plugin disable acme-hello", clean)).toMatchObject({ code: 0, out: words });
  const message = "the staged copy could not be removed: ENOTEMPTY";
  const left = await surroundings(() => ({ ...disabled, runtime: { ...hello.runtime, state: "failed", message } }));
  expect(await runLine("plugin disable acme-hello", left)).toMatchObject({
    code: 1,
    out: `${words}Its runtime did not stop cleanly: ${message}\n`,
  });
});

test.each(["plugin install ../x", "plugin show A", "plugin check x", `plugin install acme --digest ${digest}0`])(
  "%s is written wrongly, and nothing is sent",
  async (line) => {
    const { server, environment } = await surroundings(() => hello);
    expect((await runLine(line, { environment })).code).toBe(2);
    expect(server.received).toEqual([]);
  },
);

test("a refused move is told with its code, its reason and what to do", async () => {
  const server = await startSmallServer((response) =>
    sendProblem(response, 409, "plugin.digest_stale", { detail: "expected a, found b", todo: "Read it again." }),
  );
  const environment = { GATEHOUSE_TOKEN: token, GATEHOUSE_SERVER: server.url.origin };
  expect(await runLine("plugin install acme-hello", { environment })).toEqual({
    code: 1,
    out: "",
    err: "gatehouse: plugin.digest_stale: expected a, found b\n  Read it again.\n",
  });
});

test("a bundle that the server would reject gives exit code 1 and every check", async () => {
  const { environment } = await surroundings(() => ({
    id: "acme-hello",
    accepted: false,
    refusal: { code: "bundle.unsigned", title: "t", detail: "no signature", todo: "Sign it." },
    checks: [
      { name: "files", outcome: "passed", expected: "two files", found: "two files" },
      { name: "signed", outcome: "failed", expected: "1 to 8", found: "none" },
      { name: "artifact digest", outcome: "skipped", expected: "", found: "" },
    ],
    artifactSha256: null,
    loaded: false,
  }));
  const { code, out } = await runLine("plugin check acme-hello", { environment });
  expect(code).toBe(1);
  expect(out.split("\n")).toEqual([
    "acme-hello is rejected.",
    "  bundle.unsigned: no signature",
    "  Sign it.",
    "  ok       files            expected two files; found two files",
    "  FAILED   signed           expected 1 to 8",
    "                            found    none",
    "  skipped  artifact digest",
    "",
  ]);
});

test("the trust policy is shown with keys, ids and ceilings; an unset one is told as trusting nobody", async () => {
  const acme = {
    id: "acme",
    keys: [{ id: "7".repeat(32), publicKey: "AAAA", notAfter: at, status: "expired" }],
    idPrefixes: ["acme-", "solo"],
    capabilities: [{ name: "kv:read", risk: "own" }],
    threshold: 1,
    firstParty: true,
  };
  const revoked = { keys: ["8".repeat(32)], digests: [] };
  const known = await surroundings(() => ({ configured: true, items: [acme], revoked, nextCursor: null }));
  const { out } = await runLine("plugin trust", known);
  for (const part of [
    "trusts 1 publisher",
    "expired, until 2026-11-15T08:30:00Z",
    "acme-* solo",
    "first-party",
    "8".repeat(32),
  ]) {
    expect(out).toContain(part);
  }
  const unset = { configured: false, items: [], revoked: { keys: [], digests: [] }, nextCursor: null };
  expect((await runLine("plugin trust", await surroundings(() => unset))).out).toContain("trusts nobody");
});

test("the marketplace says how to place a plugin, and that nothing of it is verified", async () => {
  const entry = {
    id: "acme-hello",
    name: "Hello",
    publisher: "acme",
    version: "1.1.0",
    summary: "Says hello.",
    homepage: null,
    capabilities: [],
    artifactSha256: digest,
    placed: true,
    steps: ["Copy the directory.", "Restart the server."],
  };
  const { environment } = await surroundings(() => ({ items: [entry], nextCursor: null }));
  const { out } = await runLine("plugin market", { environment });
  for (const part of ["none of this is verified", "by acme, placed", "1. Copy the directory.", "2. Restart"]) {
    expect(out).toContain(part);
  }
});
