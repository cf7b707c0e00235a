import { join } from "node:path";
import { makeDirectoryDurably, type Vfs, writeDurably } from "@gatehouse/files";
import { firewallApply, type FirewallApply, nftFiles, nftWords, renderFirewall } from "@gatehouse/plan";
import type { RunOnHost } from "../host/run-on-host.ts";
import { sayFailedProgram } from "./failed-program.ts";
import type { KeptKind, LoadedParts } from "./host-operation.ts";
import { findBytes, namesIn } from "./put-script.ts";

export interface KeptTables {
  readonly vfs: Vfs;
  /** The directory, which is made when it is missing. */
  readonly tables: string;
}

/** Tables are forgotten by the kernel, and loaded at every boot. */
export const keptTables: KeptKind<"firewall.apply"> = {
  keep: ({ vfs, paths: { tables } }, operation) => keepTable({ vfs, tables }, operation),
  load: ({ vfs, run, paths: { tables } }) => loadTables({ vfs, run, tables }),
};

/** More than any table of a plan has. */
const mostBytes = 32 * 1024 * 1024;
const mostMs = 30_000;

/** Keeps a table for the next boot, in place of what was kept of it: on the disk when this returns. Safe to be done again. */
export async function keepTable({ vfs, tables }: KeptTables, operation: FirewallApply): Promise<void> {
  const text = renderFirewall(operation);
  await makeDirectoryDurably(vfs, tables);
  await writeDurably(vfs, join(tables, nftFiles.kept(operation.table)), new TextEncoder().encode(text));
}

/** Loads every table that was kept, each by itself: one that cannot be loaded keeps no other from it. */
export async function loadTables({ vfs, tables, run }: KeptTables & { readonly run: RunOnHost }): Promise<LoadedParts> {
  const files = (await namesIn(vfs, tables)).toSorted().map((name) => ({ name, table: findTable(name) }));
  const tried: { readonly name: string; readonly why: string | undefined }[] = [];
  for (const { name, table } of files) {
    if (table !== undefined) tried.push({ name, why: await findLoadFlaw({ vfs, run }, join(tables, name), table) });
  }
  return {
    loaded: tried.flatMap(({ name, why }) => (why === undefined ? [name] : [])),
    failed: tried.flatMap(({ name, why }) => (why === undefined ? [] : [{ name, why }])),
    ignored: files.flatMap(({ name, table }) => (table === undefined ? [name] : [])),
  };
}

function findTable(name: string): string | undefined {
  const table = firewallApply.schema.shape.table.safeParse(name.replace(/\.nft$/, "")).data;
  return table !== undefined && nftFiles.kept(table) === name ? table : undefined;
}

/** Why the table could not be loaded; undefined when it is there now. */
async function findLoadFlaw(
  { vfs, run }: { readonly vfs: Vfs; readonly run: RunOnHost },
  path: string,
  table: string,
): Promise<string | undefined> {
  try {
    const bytes = await findBytes(vfs, path, mostBytes);
    // nft takes an empty file for one that asks for nothing, and says that all is well.
    if (!isTableText(table, new TextDecoder().decode(bytes))) return "it does not hold the table of its name";
  } catch (error) {
    return `it cannot be read: ${(error as NodeJS.ErrnoException).code ?? "unknown"}`;
  }
  const ran = await run("nft", nftWords.load(path), mostMs);
  return ran.code === 0 ? undefined : sayFailedProgram("nft", ran);
}

function isTableText(table: string, text: string): boolean {
  const head = `add table inet ${table}\ndelete table inet ${table}\ntable inet ${table} {\n`;
  return text.startsWith(head) && text.endsWith("\n}\n");
}
