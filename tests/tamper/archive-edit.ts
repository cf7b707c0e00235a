import type { Random } from "../support/random.ts";
import { type ArchiveFile, editArchive } from "./archive-file.ts";
import type { Edit, Loot } from "./edit.ts";

/** A change of `logs.db` that is made with statements. */
export function editSql(title: string, change: (archive: ArchiveFile, random: Random, loot: Loot) => string): Edit {
  return {
    name: title,
    make: (random, loot) => {
      let how = "";
      const bytes = editArchive(loot.own.files["logs.db"], (archive) => {
        how = change(archive, random, loot);
      });
      return { bytes, how };
    },
  };
}

/** What search goes by. */
export const searchFields = ["actor", "action", "subject"] as const;
