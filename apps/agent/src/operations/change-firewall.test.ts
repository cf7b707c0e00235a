import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeVfs, type Vfs } from "@gatehouse/files";
import { type FirewallApply, renderFirewall, workOfOperation } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { recordedHost } from "../../test/recorded-host.ts";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { changeFirewall } from "./change-firewall.ts";

const table = "gatehouse_t";
const operation: FirewallApply = {
  kind: "firewall.apply",
  table,
  input: {
    policy: "drop",
    rules: [{ label: "ssh", verdict: "accept", protocol: "tcp", ports: [{ from: 22, to: 22 }] }],
  },
};

/** As nft 1.0.6 prints the table of the operation, with more in it where that is asked for. */
const json = (...more: readonly unknown[]) =>
  JSON.stringify({
    nftables: [
      { metainfo: { version: "1.0.6" } },
      { table: { family: "inet", name: table, handle: 4 } },
      {
        chain: {
          family: "inet",
          table,
          name: "input",
          handle: 1,
          type: "filter",
          hook: "input",
          prio: 0,
          policy: "drop",
        },
      },
      {
        rule: {
          family: "inet",
          table,
          chain: "input",
          handle: 2,
          comment: "ssh",
          expr: [
            { match: { op: "==", left: { payload: { protocol: "tcp", field: "dport" } }, right: 22 } },
            { accept: null },
          ],
        },
      },
      ...more,
    ],
  });
const text = `table inet ${table} {\n\tchain input {\n\t\ttype filter hook input priority filter; policy drop;\n\t\ttcp dport 22 accept comment "ssh"\n\t}\n}\n`;
const bytes = (written: string) => new TextEncoder().encode(written);

const [asJson, asText] = [`nft -j -s list table inet ${table}`, `nft -s list table inet ${table}`];
const there = { [asJson]: { stdout: json() }, [asText]: { stdout: text } };
const gone = { code: 1, stderr: "Error: No such file or directory\nlist table inet gatehouse_t\n" };
const absent = { [asJson]: gone, [asText]: gone };

function makeChange(answers: Parameters<typeof recordedHost>[0] = {}, vfs?: Vfs) {
  const { root, paths, owner } = makeHostDirectory();
  const { run, lines } = recordedHost(answers);
  const directory = join(paths.snapshots, "task");
  const ground = { root, owner, run, directory, vfs, pause: async () => undefined };
  const read = (name: string) => readFileSync(join(directory, name), "utf8");
  return { ground, lines, directory, read };
}

test("it is tried and then made from the text that reviewers have read, in a file for root alone", async () => {
  const { ground, lines, directory, read } = makeChange();
  await changeFirewall.validate(ground, operation);
  await changeFirewall.apply(ground, operation);
  const path = join(directory, "apply-gatehouse_t.nft");
  expect(lines).toEqual([`nft -c -f ${path}`, `nft -f ${path}`]);
  expect(read("apply-gatehouse_t.nft")).toBe(renderFirewall(operation));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(readdirSync(directory)).toEqual(["apply-gatehouse_t.nft"]);
});

test("what is there is kept as nft lists it, and put back by one script that names no other table", async () => {
  const { ground, lines, directory, read } = makeChange(there);
  const copy = await changeFirewall.snapshot(ground, table);
  expect(copy).toEqual(bytes(text));
  await changeFirewall.prove(ground, table, copy);
  await changeFirewall.restore(ground, table, copy);
  const path = join(directory, "restore-gatehouse_t.nft");
  expect(lines).toEqual([asJson, asText, `nft -c -f ${path}`, `nft -f ${path}`]);
  expect(read("restore-gatehouse_t.nft")).toBe(`add table inet ${table}\ndelete table inet ${table}\n${text}`);
});

test("where there was no table, there is none afterwards", async () => {
  const { ground, lines, read } = makeChange(absent);
  expect(await changeFirewall.snapshot(ground, table)).toBeNull();
  expect(lines).toEqual([asJson]);
  await changeFirewall.prove(ground, table, null);
  await changeFirewall.restore(ground, table, null);
  expect(read("restore-gatehouse_t.nft")).toBe(`add table inet ${table}\ndelete table inet ${table}\n`);
});

const failed = { code: 1, stderr: "x.nft:3:1-5: Error: syntax error\nchain {\n^^^^^\n" };

test.each([
  ["validate.failed", () => changeFirewall.validate(makeChange({ "nft -c": failed }).ground, operation)],
  ["apply.failed", () => changeFirewall.apply(makeChange({ "nft -f": failed }).ground, operation)],
  ["snapshot.unprovable", () => changeFirewall.prove(makeChange({ "nft -c": failed }).ground, table, null)],
  ["restore.failed", () => changeFirewall.restore(makeChange({ "nft -f": failed }).ground, table, bytes(text))],
])("what nft refuses is %s, in nft's own words", async (code, work) => {
  await expect(work()).rejects.toThrow(`${code}: nft ended with 1 and said: x.nft:3:1-5: Error: syntax error; chain {`);
});

test.each([
  ["there is no nft", undefined, "nft cannot be started"],
  ["it hangs", { code: null, cut: "time" }, "nft took too long"],
] as const)("where %s, that is said", async (_, answer, said) => {
  const { ground } = makeChange({ nft: answer, [asJson]: answer, [asText]: answer });
  await expect(changeFirewall.validate(ground, operation)).rejects.toThrow(`validate.failed: ${said}`);
  await expect(changeFirewall.snapshot(ground, table)).rejects.toThrow(`snapshot.failed: ${said}`);
  await expect(changeFirewall.restore(ground, table, null)).rejects.toThrow(`restore.failed: ${said}`);
});

test("programs have their time, and no more", async () => {
  const { ground } = makeChange();
  const limits: (number | undefined)[] = [];
  const run: typeof ground.run = async (_, args, mostMs) => {
    limits.push(mostMs);
    return args.includes("list")
      ? { code: 0, stdout: args[0] === "-j" ? json() : text, stderr: "" }
      : { code: 0, stdout: "", stderr: "" };
  };
  const slow = { ...ground, run };
  await changeFirewall.validate(slow, operation);
  await changeFirewall.snapshot(slow, table);
  await changeFirewall.isApplied(slow, operation);
  expect(limits).toEqual([30_000, 30_000, 30_000, 30_000, 30_000]);
});

test.each(["filter", "", "gatehouse_t {}; flush ruleset", "gatehouse_t\n", "../gatehouse_t", "Gatehouse_t"])(
  "%j is no table of Gatehouse: nothing is written or started for it",
  async (target) => {
    const { ground, lines, directory } = makeChange(there);
    await expect(changeFirewall.snapshot(ground, target)).rejects.toThrow(/^snapshot\.failed: expected the name/);
    await expect(changeFirewall.prove(ground, target, null)).rejects.toThrow(
      /^snapshot\.unprovable: expected the name/,
    );
    await expect(changeFirewall.restore(ground, target, null)).rejects.toThrow(/^restore\.failed: expected the name/);
    expect(lines).toEqual([]);
    expect(() => readdirSync(directory)).toThrow("ENOENT");
  },
);

test("an operation that no schema lets through is not written", async () => {
  const { ground, lines } = makeChange();
  const evil = { ...operation, table: "filter" };
  await expect(async () => changeFirewall.validate(ground, evil)).rejects.toThrow(/gatehouse_/);
  expect(lines).toEqual([]);
});

test.each([
  ["nothing", ""],
  ["another table", text.replace(table, "filter")],
  ["something in front", `flush ruleset\n${text}`],
  ["something behind", `${text}flush ruleset\n`],
  ["the half of it", text.slice(0, -3)],
])("a copy that is %s is neither proved nor put back", async (_, copy) => {
  const { ground, lines } = makeChange({ ...there, [asText]: { stdout: copy } });
  const work = [
    [changeFirewall.prove(ground, table, bytes(copy)), "snapshot.unprovable"],
    [changeFirewall.restore(ground, table, bytes(copy)), "restore.failed"],
  ] as const;
  for (const [done, code] of work) await expect(done).rejects.toThrow(`${code}: expected a listing of ${table}`);
  expect(lines).toEqual([]);
  await expect(changeFirewall.snapshot(ground, table)).rejects.toThrow("snapshot.failed: expected a listing");
});

test.each([
  ["a comment that ends early", { rule: { comment: 'x"; }; flush ruleset; #' } }],
  ["a line feed", { rule: { comment: "x\ny" } }],
  ["what is no text", { set: { name: "s", elem: ["eth\u{fffd}"] } }],
  ["a name that ends early", { chain: { name: "x { }; }; flush ruleset; #" } }],
])("a table that holds %s is not kept: nft would read back something else", async (_, part) => {
  const { ground, lines } = makeChange({ ...there, [asJson]: { stdout: json(part) } });
  await expect(changeFirewall.snapshot(ground, table)).rejects.toThrow(/^snapshot\.failed: .* nft cannot read back/);
  expect(lines).toEqual([asJson]);
});

test.each([
  ["cannot be listed", { [asText]: failed }, /^snapshot\.failed: nft ended with 1/],
  ["is taken away meanwhile", { [asText]: gone }, /^snapshot\.failed: .* was taken away while it was read/],
  ["is listed in another form", { [asJson]: { stdout: "rubbish" } }, /^snapshot\.failed: nft has listed nothing/],
])("a table that %s is not kept", async (_, answers, says) => {
  const { ground } = makeChange({ ...there, ...answers });
  await expect(changeFirewall.snapshot(ground, table)).rejects.toThrow(says);
});

test("what goes wrong outside of nft is no fault of the table", async () => {
  const { ground } = makeChange();
  const broken = { ...ground, run: () => Promise.reject(new TypeError("a defect")) };
  await expect(changeFirewall.snapshot(broken, table)).rejects.toThrow(TypeError);
});

test("it is applied when the table is the operation's, and nothing else is in it", async () => {
  expect(await changeFirewall.isApplied(makeChange(there).ground, operation)).toBe(true);
  expect(await changeFirewall.isApplied(makeChange(absent).ground, operation)).toBe(false);
  const stricter = { ...operation, input: { ...operation.input, rules: [] } };
  expect(await changeFirewall.isApplied(makeChange(there).ground, stricter)).toBe(false);
});

test.each([
  ["a chain", { [asJson]: { stdout: json({ chain: { family: "inet", table, name: "extra", handle: 9 } }) } }],
  ["a set", { [asJson]: { stdout: json({ set: { family: "inet", table, name: "s", type: "ipv4_addr" } }) } }],
  [
    "a rule",
    { [asJson]: { stdout: json({ rule: { family: "inet", table, chain: "input", expr: [{ drop: null }] } }) } },
  ],
  ["a flag that stops it", { [asText]: { stdout: text.replace("{\n", "{\n\tflags dormant\n") } }],
  ["nothing any more", { [asText]: gone }],
])("it is not applied when there is %s in the table", async (_, answers) => {
  expect(await changeFirewall.isApplied(makeChange({ ...there, ...answers }).ground, operation)).toBe(false);
});

test("a table that cannot be read is not said to be applied or not", async () => {
  for (const line of [asJson, asText]) {
    const { ground } = makeChange({ ...there, [line]: failed });
    await expect(changeFirewall.isApplied(ground, operation)).rejects.toThrow(/^state\.unreadable: nft ended with 1/);
  }
});

test("a full disk fails a change before it starts, and no restore that was proved", async () => {
  const { ground, lines, directory, read } = makeChange();
  await changeFirewall.prove(ground, table, bytes(text));
  const open: Vfs["open"] = (path, mode) =>
    mode === "create" ? Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" })) : nodeVfs.open(path, mode);
  const full = { ...ground, vfs: { ...nodeVfs, open } };
  await expect(changeFirewall.validate(full, operation)).rejects.toThrow(
    /^validate\.failed: apply-gatehouse_t\.nft cannot be written: ENOSPC/,
  );
  await changeFirewall.restore(full, table, bytes(text));
  expect(lines.at(-1)).toBe(`nft -f ${join(directory, "restore-gatehouse_t.nft")}`);
  await expect(changeFirewall.restore(full, table, null)).rejects.toThrow(/^restore\.failed: .*ENOSPC/);
  expect(read("restore-gatehouse_t.nft")).toContain(text);
});

test("a script that was damaged is written anew", async () => {
  const { ground, directory, read } = makeChange();
  mkdirSync(directory, { recursive: true });
  for (const damaged of ["", "flush ruleset\n", `${renderFirewall(operation)}flush ruleset\n`]) {
    writeFileSync(join(directory, "apply-gatehouse_t.nft"), damaged);
    await changeFirewall.apply(ground, operation);
    expect(read("apply-gatehouse_t.nft")).toBe(renderFirewall(operation));
  }
});

test("a disk that cannot be read is said to be so", async () => {
  const { ground } = makeChange();
  const vfs = { ...nodeVfs, open: () => Promise.reject(new Error("no code at all")) };
  await expect(changeFirewall.apply({ ...ground, vfs }, operation)).rejects.toThrow(
    /^apply\.failed: apply-gatehouse_t\.nft cannot be written: unknown/,
  );
});

test("what is explained is what is written and started, in that order", async () => {
  const { ground, lines, directory, read } = makeChange(there);
  await changeFirewall.validate(ground, operation);
  const copy = await changeFirewall.snapshot(ground, table);
  await changeFirewall.prove(ground, table, copy);
  await changeFirewall.apply(ground, operation);
  await changeFirewall.isApplied(ground, operation);
  await changeFirewall.restore(ground, table, copy);
  const work = workOfOperation(operation, { directory, tables: "/tables", wireguard: "/wireguard" });
  const made = work.programs.filter(({ step }) => step !== "state" && step !== "boot");
  expect(made?.map(({ argv }) => argv.join(" "))).toEqual(lines);
  expect(work.files[0]).toEqual({
    path: join(directory, "apply-gatehouse_t.nft"),
    text: read("apply-gatehouse_t.nft"),
  });
});
