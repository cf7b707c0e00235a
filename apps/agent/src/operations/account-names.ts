import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface AccountNames {
  user(id: number): string;
  group(id: number): string;
}

/** The names of this host's own accounts; a number where it has none, as for those of a directory service. */
export function accountNames(root: string): AccountNames {
  return {
    user: (id) => findAccount(textOf(root, "etc/passwd"), id) ?? String(id),
    group: (id) => findAccount(textOf(root, "etc/group"), id) ?? String(id),
  };
}

export interface AccountIds {
  /** Undefined where this host has no such account of its own. */
  readonly uid: number | undefined;
  readonly gid: number | undefined;
}

/** The numbers of a user and of a group of this host. */
export function findAccountIds(root: string, { owner, group }: Record<"owner" | "group", string>): AccountIds {
  return { uid: findId(textOf(root, "etc/passwd"), owner), gid: findId(textOf(root, "etc/group"), group) };
}

function findId(text: string, name: string): number | undefined {
  const fields = text.split("\n").map((line) => line.split(":"));
  const number = fields.find(([found]) => found === name)?.[2];
  return number !== undefined && /^[0-9]{1,10}$/.test(number) ? Number(number) : undefined;
}

/** The first name of a number in a file such as /etc/passwd; undefined for one that a plan could not name. */
export function findAccount(text: string, id: number): string | undefined {
  const fields = text.split("\n").map((line) => line.split(":"));
  const name = fields.find(([, , number]) => number === String(id))?.[0];
  return name !== undefined && /^[a-z_][a-z0-9_-]{0,31}$/.test(name) ? name : undefined;
}

function textOf(root: string, name: string): string {
  try {
    return readFileSync(join(root, name), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
