import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

const links = new Set([".bin", "@gatehouse"]);

/** What somebody has who clones the repository now: everything that is under version control, and nothing else. */
export function freshClone(tree: string, to: string): void {
  const git = (...words: string[]) => execFileSync("git", ["-C", tree, ...words], { encoding: "utf8" });
  git("clone", "--quiet", ".", to);
  // What is about to be committed belongs to it.
  const names = (text: string) => text.split("\0").filter((name) => name !== "");
  for (const name of names(git("diff", "-z", "--name-only", "--no-renames", "--diff-filter=D", "HEAD")))
    rmSync(join(to, name));
  const changed = git("diff", "-z", "--name-only", "--no-renames", "--diff-filter=d", "HEAD");
  for (const name of names(changed + git("ls-files", "-z", "--others", "--exclude-standard"))) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    cpSync(join(tree, name), join(to, name));
  }
}

/**
 * What `npm ci && npm run build` brings into a clone, without its half a minute: the packages of `tree` as links, our own as links to the
 * clone's folders, as npm makes them, and what was built.
 */
export function installLike(tree: string, clone: string): void {
  const [from, to] = [join(tree, "node_modules"), join(clone, "node_modules")];
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (links.has(name)) cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(join(from, name), join(to, name));
  }
  cpSync(join(tree, "dist"), join(clone, "dist"), { recursive: true });
}
