import type { HostPlaces, HostWork } from "../../host-work.ts";
import type { FirewallApply } from "./firewall-table.ts";
import { renderFirewall } from "./render.ts";

/** What nft is asked with: the part behind the program's own name. The agent starts it with these very words. */
export const nftWords = {
  /** A table, as JSON. */
  listJson: (table: string): readonly string[] => ["-j", ...nftWords.listText(table)],
  /** The same, in the language that nft reads. */
  listText: (table: string): readonly string[] => ["-s", "list", "table", "inet", table],
  load: (path: string): readonly string[] => ["-f", path],
  /** Says what would come of loading it. */
  tryToLoad: (path: string): readonly string[] => ["-c", "-f", path],
};

/** The files that nft reads. */
export const nftFiles = {
  apply: (table: string) => `apply-${table}.nft`,
  restore: (table: string) => `restore-${table}.nft`,
  kept: (table: string) => `${table}.nft`,
};

export function firewallWork(operation: FirewallApply, { directory, tables }: HostPlaces): HostWork {
  const { table } = operation;
  const text = renderFirewall(operation);
  const path = `${directory}/${nftFiles.apply(table)}`;
  const back = `${directory}/${nftFiles.restore(table)}`;
  const kept = `${tables}/${nftFiles.kept(table)}`;
  const nft = (words: readonly string[]) => ["nft", ...words];
  const listed = [nft(nftWords.listJson(table)), nft(nftWords.listText(table))];
  return {
    files: [
      { path, text },
      { path: kept, text },
    ],
    programs: [
      { step: "state", argv: nft(nftWords.listJson(table)) },
      { step: "validate", argv: nft(nftWords.tryToLoad(path)) },
      ...listed.map((argv) => ({ step: "snapshot" as const, argv })),
      { step: "prove", argv: nft(nftWords.tryToLoad(back)) },
      { step: "apply", argv: nft(nftWords.load(path)) },
      ...listed.map((argv) => ({ step: "check" as const, argv })),
      { step: "restore", argv: nft(nftWords.load(back)) },
      { step: "boot", argv: nft(nftWords.load(kept)) },
    ],
  };
}
