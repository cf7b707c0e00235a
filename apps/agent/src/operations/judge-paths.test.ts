import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codeOf } from "../../../../tests/support/signed-task.ts";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { judgePaths } from "./judge-paths.ts";

function ground() {
  const { root, owner } = makeHostDirectory();
  const at = (path: string) => join(root, path);
  for (const each of ["/etc/app", "/etc/open", "/etc/team"]) mkdirSync(at(each), { recursive: true });
  for (const each of ["/etc/app/file", "/etc/open/file", "/etc/team/file"]) writeFileSync(at(each), "");
  chmodSync(at("/etc/open"), 0o757);
  chmodSync(at("/etc/team"), 0o775);
  symlinkSync("app", at("/etc/way"));
  symlinkSync("nowhere", at("/etc/app/dangling"));
  writeFileSync(at("/etc/app/one"), "");
  linkSync(at("/etc/app/one"), at("/etc/app/two"));
  return { root, owner };
}

test.each([
  ["taken", ["/etc/app/file", "/etc/app/absent"]],
  ["taken", []],
  ["path.symlink", ["/etc/way/file"]],
  ["path.symlink", ["/etc/app/dangling"]],
  ["path.parent", ["/etc/open/file"]],
  ["path.parent", ["/etc/team/new"]],
  ["path.parent", ["/etc/absent/file"]],
  ["path.kind", ["/etc/app/file/below"]],
  ["path.kind", ["/etc/app/two"]],
  ["path.kind", ["/etc/app"]],
  ["path.symlink", ["/etc/app/two", "/etc/open/file", "/etc/way/file"]],
  ["path.parent", ["/etc/app/two", "/etc/open/file"]],
])("%s: %j", (code, paths) => {
  expect(codeOf(() => judgePaths(ground(), paths))).toBe(code);
});

test("a directory of somebody else is nobody's to write to", () => {
  const { root, owner } = ground();
  expect(codeOf(() => judgePaths({ root, owner: owner + 1 }, ["/etc/app/file"]))).toBe("path.parent");
});
