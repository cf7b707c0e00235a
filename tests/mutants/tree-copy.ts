import { cpSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repositoryFiles, root } from "../../tools/repository.ts";
import type { Edit } from "./edit.ts";

/**
 * The repository in another place, built as it is here, where a file can be changed while nobody's own tree is. Packages from
 * outside are shared; ours are those of the copy.
 */
export function copyTree(place: string): string {
  for (const file of repositoryFiles()) {
    mkdirSync(dirname(join(place, file)), { recursive: true });
    cpSync(join(root, file), join(place, file));
  }
  cpSync(join(root, "dist"), join(place, "dist"), { recursive: true });
  const modules = join(place, "node_modules");
  mkdirSync(join(modules, "@gatehouse"), { recursive: true });
  // Directories that tools write into are made anew.
  const shared = readdirSync(join(root, "node_modules")).filter(
    (name) => name === ".bin" || !/^\.|^@gatehouse$/.test(name),
  );
  for (const name of shared) symlinkSync(join(root, "node_modules", name), join(modules, name));
  for (const name of readdirSync(join(root, "node_modules/@gatehouse"))) {
    symlinkSync(readlinkSync(join(root, "node_modules/@gatehouse", name)), join(modules, "@gatehouse", name));
  }
  return place;
}

/** Makes the edit in a copy while `work` runs. */
export async function withEdit<T>(tree: string, edit: Edit, work: () => Promise<T>): Promise<T> {
  const path = join(tree, edit.file);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.split(edit.old).join(edit.new));
  try {
    return await work();
  } finally {
    writeFileSync(path, text);
  }
}
