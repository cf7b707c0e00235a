import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { editsOf, type SourceEdit, type Weakness } from "./weaknesses.ts";

/** The packages of this repository, which the copy has its own of. */
const own = "@gatehouse";

/** What the agent is compiled from; whatever is installed stays where it is. */
export function copySources(root: string, copy: string): void {
  const isSource = (path: string) => !path.endsWith("/node_modules");
  for (const name of ["apps/agent", "packages"]) {
    cpSync(join(root, name), join(copy, name), { recursive: true, filter: isSource });
  }
  cpSync(join(root, "package.json"), join(copy, "package.json"));
  cpSync(join(root, "deploy/systemd"), join(copy, "deploy/systemd"), { recursive: true });
  const [installed, modules] = [join(root, "node_modules"), join(copy, "node_modules")];
  mkdirSync(join(modules, own), { recursive: true });
  for (const name of readdirSync(installed)) {
    if (name !== own) symlinkSync(join(installed, name), join(modules, name));
  }
  for (const name of readdirSync(join(copy, "packages"))) {
    symlinkSync(`../../packages/${name}`, join(modules, own, name));
  }
}

/** Takes one check away, and gives the way back. */
export function weaken(sources: string, weakness: Weakness): () => void {
  const ways = editsOf(weakness).map((one) => edit(sources, one));
  return () => ways.forEach((back) => back());
}

function edit(sources: string, { file, old, new: weak }: SourceEdit): () => void {
  const path = join(sources, file);
  const text = readFileSync(path, "utf8");
  if (text.split(old).length !== 2) throw new Error(`expected once in ${file}: ${old}`);
  writeFileSync(path, text.replace(old, weak));
  return () => writeFileSync(path, text);
}
