import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fault } from "@gatehouse/contract";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runJson, runLine } from "../../test/run-commands.ts";
import { adviseAtDesk } from "../plugins/desk-advice.ts";

/** The author's verbs. A whole way from nothing to a verified bundle is in test/new-plugin.test.ts. */
let directory = "";
const at = (name: string) => join(directory, name);

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "gatehouse-author-"));
});
afterEach(() => rm(directory, { recursive: true }));

/** `body` runs when the request has been read, with the action in $1. */
async function artifact(body: string, description?: object): Promise<string> {
  const text = `#!/bin/sh
read -r line
answer() { printf '{"jsonrpc":"2.0","id":0,"result":%s}\\n' "$1"; }
call() { printf '{"jsonrpc":"2.0","id":%s,"method":"%s","params":%s}\\n' "$1" "$2" "$3"; read -r got; }
${body}
`;
  await writeFile(at("artifact"), text);
  await chmod(at("artifact"), 0o755);
  if (description !== undefined) await writeFile(at("plugin.json"), JSON.stringify(description));
  return at("artifact");
}

/** A machine without any sandbox can run these too: what is tested is what the command makes of a run. */
const attempt = (words: string) => runLine(`plugin try ${words} --sandbox none`);

test("an artifact's calls are shown with their answers, and its capabilities are those beside it", async () => {
  const file = await artifact(
    `call 1 kv.put '{"key":"k","value":"v"}'
call 2 kv.get '{"key":"k"}'
call 3 log.write '{"level":"info","message":"stored it"}'
answer '{"status":"ok"}'`,
    { capabilities: ["kv:write", "log:write"] },
  );
  const { code, out } = await attempt(`${file} health`);
  expect(code).toBe(0);
  expect(out).toMatch(/artifact says that it is ok\.\n/);
  for (const part of ["kv:write log:write", at("plugin.json"), "3 broker calls", "info: stored it"]) {
    expect(out).toContain(part);
  }
  expect(out).toMatch(/kv\.put +\{"key":"k","value":"v"\} → \{\}/);
  expect(out).toMatch(/kv\.get +\{"key":"k"\} → refused: broker\.capability_missing/);
  const { found } = await runJson(`plugin try ${file} health --sandbox none`);
  expect(found).toMatchObject({
    ok: true,
    capabilities: ["kv:write", "log:write"],
    logged: ["info: stored it"],
    run: { action: "health", result: { status: "ok" }, calls: [{ method: "kv.put" }, {}, {}] },
  });
});

test("what a server would not take is exit code 1 with the reason and with what was said on standard error", async () => {
  const { code, out } = await attempt(`${await artifact("printf 'no \\033[2Jtable\\n' >&2; exit 3")} describe`);
  expect(code).toBe(1);
  expect(out).toMatch(/artifact failed: it ended with 3\.\n/);
  expect(out).toMatch(/\| no .*table/);
  expect(out).not.toContain("\u001b");
  expect(out).toContain("no description was found");
});

test("a health other than ok is exit code 1 too", async () => {
  expect((await attempt(`${await artifact(`answer '{"status":"failing","message":"No."}'`)} health`)).code).toBe(1);
});

test("a plan may hold only what the description declares, and another description can be named", async () => {
  const section = `{"node":"node_${"0".repeat(26)}","operations":[{"kind":"service.restart","unit":"a.service"}]}`;
  const file = await artifact(`answer '{"title":"A","summary":"B","sections":[${section}]}'`, { capabilities: [] });
  await writeFile(at("input.json"), "null");
  const node = { id: `node_${"0".repeat(26)}`, name: "web-1", tags: [], addresses: [], states: [] };
  await writeFile(at("nodes.json"), JSON.stringify([node]));
  await writeFile(at("more.json"), '{"capabilities":["host:service"]}');
  const line = `${file} plan --input ${at("input.json")} --nodes ${at("nodes.json")}`;
  expect(await attempt(line)).toMatchObject({ code: 1, out: expect.stringContaining("host:service") });
  expect(await attempt(`${line} --manifest ${at("more.json")}`)).toMatchObject({
    code: 0,
    out: expect.stringContaining("service.restart  service:a.service\n"),
  });
});

test("what cannot be tried is refused before anything is started", async () => {
  const file = await artifact("", { capabilities: ["kv:admin"] });
  await writeFile(at("list.json"), "[]");
  for (const words of [
    `${at("absent")} health`,
    `${directory} health`,
    `${file} apply`,
    `${file} plan`,
    `${file} health`,
    `${file} health --manifest ${at("list.json")}`,
    `${file} health --manifest ${at("absent.json")}`,
  ]) {
    expect((await attempt(words)).code, words).toBe(2);
  }
});

test("nodes that no server would send are refused by their place in the file", async () => {
  const file = await artifact("");
  await writeFile(at("input.json"), "null");
  const node = (end: string) => ({
    id: `node_${"0".repeat(25)}${end}`,
    name: "a",
    tags: [],
    addresses: [],
    states: [],
  });
  const said = async (nodes: unknown, action = `plan --input ${at("input.json")}`) => {
    await writeFile(at("nodes.json"), JSON.stringify(nodes));
    const { code, err } = await attempt(`${file} ${action} --nodes ${at("nodes.json")}`);
    expect(code).toBe(2);
    return err;
  };
  expect(await said([{ ...node("1"), notes: "" }])).toContain("/0: ");
  expect(await said([node("2"), node("1")])).toContain("must be sorted by id");
  expect(await said([], "health")).toContain("--nodes is for plan");
});

test("where there is no sandbox, the advice is for a desk and not for a server", () => {
  const weak = fault("sandbox.too_weak", "this host offers none");
  expect(adviseAtDesk(weak)).toMatchObject({
    code: "sandbox.too_weak",
    detail: "this host offers none",
    todo: expect.stringContaining("--sandbox none"),
  });
  const other = fault("sandbox.staging_failed", "the artifact is gone");
  expect(adviseAtDesk(other)).toBe(other);
});

test("a new plugin goes into a directory that is absent or empty, and over nothing", async () => {
  await mkdir(at("full"));
  await writeFile(at("full/mine"), "");
  await writeFile(at("file"), "");
  await symlink(at("full"), at("link"));
  const make = (name: string) => runLine(`plugin new ${at(name)} --id acme-motd --publisher acme`);
  for (const name of ["full", "link", "file"]) {
    expect(await make(name), name).toMatchObject({ code: 1, err: expect.stringContaining("cli.exists") });
  }
  expect(await readdir(at("full"))).toEqual(["mine"]);
  expect(await make("new/deeper")).toMatchObject({ code: 0, out: expect.stringContaining("Made acme-motd in ") });
  expect(await make("new/deeper")).toMatchObject({ code: 1 });
});

test("names that no bundle could have are refused, and leave nothing behind", async () => {
  for (const words of ["--id ../x --publisher acme", "--id acme-motd --publisher Acme", "--id acme-motd"]) {
    expect((await runLine(`plugin new ${at("new")} ${words}`)).code, words).toBe(2);
  }
  expect(await readdir(directory)).toEqual([]);
});
