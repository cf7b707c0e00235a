import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { KnownDrift, KnownRefusal } from "../fixtures/apply-and-undo.ts";
import type { KnownHead } from "../fixtures/hold-head.ts";
import type { KnownWatch } from "../fixtures/watch-hosts.ts";
import { copyOfDataDirectory } from "./driver/directories.ts";
import { root } from "./server-under-test.ts";

/** The files of contract 2.5. */
export const dataFiles = ["state.json", "state.json.audit-wal", "logs.db", "master.key"] as const;

const home = join(root, "tests/fixtures/data");

export interface Fixture {
  readonly version: string;
  readonly records: number;
  readonly head: { readonly position: number; readonly link: string };
  /** Its owner; absent before there were users. */
  readonly signIn?: { readonly username: string; readonly password: string };
  /** A plugin it holds; absent before there were plugins. */
  readonly plugin?: { readonly id: string; readonly status: string };
  /** A host that has enrolled, the server's public key and how far its outbox is acknowledged; absent before there were hosts. */
  readonly node?: { readonly id: string; readonly server: string; readonly acked: number };
  /** A plan that waited for approval, and its digest; absent before there were plans. */
  readonly plan?: { readonly id: string; readonly digest: string };
  /** A plan that ran in a wave and was done, and the one that takes it back; absent before plans were taken back. */
  readonly undo?: { readonly applied: string; readonly plan: string };
  /** The signed head of the log that the host holds; absent before hosts held any. */
  readonly held?: KnownHead;
  /** Another host: it refuses the log, and is not as its plan left it; absent before hosts said so. */
  readonly refuses?: KnownRefusal;
  readonly drift?: KnownDrift;
  /** Alert rules, a silence, a webhook and an open alert of that host, as they are shown; absent before there were alerts. */
  readonly watch?: KnownWatch;
  readonly alert?: Readonly<Record<string, unknown>>;
  /** A fresh copy of the data directory. */
  copy(): string;
}

/** A data directory of every released version, oldest first. `tests/fixtures/make-data-fixture.ts` makes them. */
export function dataFixtures(): Fixture[] {
  const versions = readdirSync(home, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  return versions.sort(byVersion).map((version) => {
    const expected = readFileSync(join(home, `${version}.expected.json`), "utf8");
    const known = JSON.parse(expected) as Omit<Fixture, "version" | "copy">;
    return { version, ...known, copy: () => copyOfDataDirectory(join(home, version)) };
  });
}

/** The newest one, for tests that need a directory with something in it. */
export function newestFixture(): Fixture {
  const newest = dataFixtures().at(-1);
  if (newest === undefined) throw new Error("there is no data fixture: see tests/fixtures/make-data-fixture.ts");
  return newest;
}

function byVersion(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
