import { join } from "node:path";
import { faultyVfs } from "@gatehouse/files/faulty";
import { type FirewallApply, renderFirewall } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { Random } from "../../../../tests/support/random.ts";
import { recordedHost } from "../../test/recorded-host.ts";
import { keepTable, loadTables } from "./keep-table.ts";

const tables = "/state/tables";
const tableOf = (name: string, policy: "accept" | "drop" = "drop"): FirewallApply => ({
  kind: "firewall.apply",
  table: name,
  input: { policy, rules: [] },
});
const bytes = (text: string) => new TextEncoder().encode(text);
const place = (name: string) => join(tables, name);
const diskWith = (files: Readonly<Record<string, string>>) =>
  faultyVfs({
    files: new Map(Object.entries(files).map(([name, text]) => [place(name), bytes(text)])),
    directories: ["/state", tables],
  });

test("a table is kept as the text that was loaded, in place of what was kept of it", async () => {
  const vfs = faultyVfs({ directories: ["/state"] });
  await keepTable({ vfs, tables }, tableOf("gatehouse_a", "accept"));
  await keepTable({ vfs, tables }, tableOf("gatehouse_a"));
  expect(vfs.contents()).toEqual(new Map([[place("gatehouse_a.nft"), bytes(renderFirewall(tableOf("gatehouse_a")))]]));
  await expect(keepTable({ vfs, tables }, tableOf("filter"))).rejects.toThrow(/gatehouse_/);
});

test("whenever the power is cut, the next boot has the earlier table or the new one", async () => {
  const vfs = faultyVfs({ directories: ["/state"] });
  const texts = [tableOf("gatehouse_a", "accept"), tableOf("gatehouse_a")].map(renderFirewall);
  await keepTable({ vfs, tables }, tableOf("gatehouse_a", "accept"));
  const from = vfs.ops;
  await keepTable({ vfs, tables }, tableOf("gatehouse_a"));
  for (let op = from; op <= vfs.ops; op += 1) {
    for (let again = 0; again < 10; again += 1) {
      const image = vfs.imageAt(op, new Random(33, op * 10 + again));
      const { run, lines } = recordedHost();
      expect(await loadTables({ vfs: image, tables, run })).toMatchObject({ loaded: ["gatehouse_a.nft"], failed: [] });
      expect(lines).toEqual([`nft -f ${place("gatehouse_a.nft")}`]);
      const found = image.contents().get(place("gatehouse_a.nft"));
      expect(texts).toContain(new TextDecoder().decode(found));
      if (op === vfs.ops) expect(new TextDecoder().decode(found)).toBe(texts[1]);
    }
  }
});

test("a host without any has nothing to load", async () => {
  const { run, lines } = recordedHost();
  const vfs = faultyVfs({ directories: ["/state"] });
  expect(await loadTables({ vfs, tables, run })).toEqual({ loaded: [], failed: [], ignored: [] });
  expect(lines).toEqual([]);
});

test("a directory that cannot be read is not taken for an empty one", async () => {
  const { run } = recordedHost();
  const vfs = { ...diskWith({}), list: () => Promise.reject(Object.assign(new Error("bad"), { code: "EIO" })) };
  await expect(loadTables({ vfs, tables, run })).rejects.toThrow("bad");
});

test("each table is loaded by itself, and one that cannot be keeps no other from it", async () => {
  const [a, b, c] = ["gatehouse_a", "gatehouse_b", "gatehouse_c"].map((name) => renderFirewall(tableOf(name)));
  const disk = diskWith({
    "gatehouse_c.nft": c ?? "",
    "gatehouse_b.nft": b ?? "",
    "gatehouse_a.nft": a ?? "",
    "gatehouse_d.nft": "",
    "gatehouse_e.nft": a ?? "",
    "gatehouse_f.nft": "flush ruleset\n",
    "gatehouse_g.nft": renderFirewall(tableOf("gatehouse_g")).slice(0, -3),
    "gatehouse_h.nft": renderFirewall(tableOf("gatehouse_h")),
    "gatehouse_i.nft": renderFirewall(tableOf("gatehouse_i")),
    "gatehouse_a.nft.tmp": a ?? "",
    "other.nft": "flush ruleset\n",
    "gatehouse_0.nft": "flush ruleset\n",
    readme: "x",
  });
  const codes: Readonly<Record<string, string>> = { "gatehouse_h.nft": "EIO", "gatehouse_i.nft": "" };
  const open: typeof disk.open = (path, mode) => {
    const code = codes[path.slice(tables.length + 1)];
    if (code === undefined) return disk.open(path, mode);
    return Promise.reject(Object.assign(new Error("bad"), code === "" ? {} : { code }));
  };
  const { run, lines } = recordedHost({
    [`nft -f ${place("gatehouse_b.nft")}`]: { code: 1, stderr: "Error: Could not process rule\n" },
  });
  const notItsOwn = "it does not hold the table of its name";
  expect(await loadTables({ vfs: { ...disk, open }, tables, run })).toEqual({
    loaded: ["gatehouse_a.nft", "gatehouse_c.nft"],
    failed: [
      { name: "gatehouse_b.nft", why: "nft ended with 1 and said: Error: Could not process rule" },
      ...["d", "e", "f", "g"].map((letter) => ({ name: `gatehouse_${letter}.nft`, why: notItsOwn })),
      { name: "gatehouse_h.nft", why: "it cannot be read: EIO" },
      { name: "gatehouse_i.nft", why: "it cannot be read: unknown" },
    ],
    ignored: ["gatehouse_0.nft", "gatehouse_a.nft.tmp", "other.nft", "readme"],
  });
  expect(lines).toEqual(["a", "b", "c"].map((letter) => `nft -f ${place(`gatehouse_${letter}.nft`)}`));
});

test("a host without nft says so for each table", async () => {
  const vfs = diskWith({ "gatehouse_a.nft": renderFirewall(tableOf("gatehouse_a")) });
  const { run } = recordedHost({ nft: undefined });
  expect(await loadTables({ vfs, tables, run })).toMatchObject({
    failed: [{ name: "gatehouse_a.nft", why: "nft cannot be started on this host" }],
  });
});
