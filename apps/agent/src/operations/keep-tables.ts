import { join } from "node:path";
import { makeDirectoryDurably, type Vfs, writeDurably } from "@gatehouse/files";
import { type FirewallApply, renderFirewall } from "@gatehouse/plan";
import type { RunOnHost } from "../host/run-on-host.ts";

export interface TablesPlace {
  readonly vfs: Vfs;
  readonly directory: string;
}

/** From now on every boot loads the table as the operation says. */
export async function keepTable({ vfs, directory }: TablesPlace, operation: FirewallApply): Promise<void> {
  await makeDirectoryDurably(vfs, directory);
  const text = new TextEncoder().encode(renderFirewall(operation));
  await writeDurably(vfs, join(directory, `${operation.table}.nft`), text);
}

/** Loads every table that was kept, and gives what could not be loaded. */
export async function loadTables({
  run,
  vfs,
  directory,
}: TablesPlace & { readonly run: RunOnHost }): Promise<readonly { readonly file: string; readonly why: string }[]> {
  const failed: { file: string; why: string }[] = [];
  for (const name of (await vfs.list(directory).catch(() => [])).filter((one) => one.endsWith(".nft"))) {
    const file = join(directory, name);
    const { code, stderr } = await run("nft", ["-f", file]);
    if (code !== 0) failed.push({ file, why: stderr.trim() });
  }
  return failed;
}
