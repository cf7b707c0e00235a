import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { type UserRecord, userKind } from "@gatehouse/contract/records";
import { nodeVfs } from "@gatehouse/files";
import { diagnoseDataDirectory, openFileStore, verifyDataDirectory } from "@gatehouse/store";
import { readRecords } from "../../packages/store/src/boot.ts";
import { productKinds } from "../../packages/store/src/kinds.ts";
import { encodeGroup, encodeMark } from "../../packages/store/src/log-format.ts";
import { openLogSeal } from "../../packages/store/src/log-seal.ts";
import { type MasterKey, masterKey } from "../../packages/store/src/master-key.ts";
import { readState, writeState } from "../../packages/store/src/state-file.ts";
import { Random } from "../support/random.ts";
import { type Scenario, Tally } from "../support/scenario.ts";
import { inScratch } from "../support/scratch.ts";
import { type Files, inDirectory } from "./files.ts";
import { getGround, lootsOf, turnOf } from "./ground.ts";
import type { Installation } from "./installation.ts";
import { errorText } from "./judge.ts";

/** A user whom nothing in the log concerns, so that what the state says of them lasts. */
interface Target {
  readonly directory: string;
  readonly key: MasterKey;
  readonly user: { readonly id: string; readonly version: number; readonly value: UserRecord };
  readonly own: Installation;
}

/** How the same user becomes an owner for somebody who has the key. */
const ways: Readonly<Record<string, (target: Target) => Promise<void>>> = {
  "state.json written anew": async ({ directory, key, user }) => {
    const path = join(directory, "state.json");
    const state = await readState({ vfs: nodeVfs, path, key });
    if (state === undefined) throw new Error("there is no state");
    const raised = readRecords(productKinds, state).map((record) =>
      record.key.id === user.id && record.key.kind.name === userKind.name
        ? { ...record, value: { ...record.value, role: "owner" } }
        : record,
    );
    await writeState({ vfs: nodeVfs, path, key, head: state.head, records: raised });
  },
  "a sealed group behind the end of the log": async ({ directory, key, user, own }) => {
    const entry = { at: Date.UTC(2026, 6, 1), actor: "system", action: "user.changed", subject: `user/${user.id}` };
    const change = { key: `user/${user.id}`, was: user.version, value: { ...user.value, role: "owner" } };
    const texts = [[JSON.stringify(entry)], [JSON.stringify([change])]] as const;
    const { bytes, head } = encodeGroup(own.witness, ...texts, openLogSeal(key));
    await appendFile(join(directory, "state.json.audit-wal"), Buffer.concat([bytes, encodeMark(head)]));
  },
};

/** The same edits made with the key are accepted: so it is the key that keeps the others out, and not their clumsiness. */
export const withKey: Scenario<"tamper"> = {
  name: "with-key",
  run: ({ seed, counts }) =>
    inScratch(async (home) => {
      const tally = new Tally();
      const loots = lootsOf(await getGround());
      for (let number = 0; number < counts.controls; number += 1) {
        const [way, write] = turnOf(Object.entries(ways), number);
        const { own } = turnOf(loots, Math.floor(number / 2));
        const user = pickUser(new Random(seed, number), own.files);
        const key = masterKey(Buffer.from(own.files["master.key"].toString("latin1").trim(), "hex"));
        const unchanged = { files: own.files, name: "state.json", bytes: own.files["state.json"] } as const;
        const wrong = await inDirectory(join(home, "case"), unchanged, async (directory) => {
          await write({ directory, key, user, own });
          return findWrong(directory, user.id);
        }).catch(errorText);
        tally.count("controls with the key");
        if (wrong !== undefined) tally.fail(`control ${number} of seed ${seed}: ${way}, ${user.id}: ${wrong}`);
      }
      return tally.outcome();
    }),
};

function pickUser(random: Random, files: Files): Target["user"] {
  const log = files["state.json.audit-wal"].toString("utf8");
  const lines = files["state.json"].toString("utf8").match(/^\{"key":"user\/.*\}/gm) ?? [];
  const users = lines.map((line) => JSON.parse(line) as { key: string; version: number; value: UserRecord });
  const { version, value } = random.pick(
    users.filter(({ key, value: { role } }) => !log.includes(key) && role !== "owner"),
  );
  return { id: value.id, version, value };
}

async function findWrong(directory: string, id: string): Promise<string | undefined> {
  const verified = await verifyDataDirectory({ directory });
  if (!verified.ok) return `verification says ${JSON.stringify(verified.broken)}`;
  const { healthy, findings } = await diagnoseDataDirectory({ directory });
  if (!healthy) return `diagnosis says ${JSON.stringify(findings)}`;
  const store = await openFileStore({ directory });
  try {
    const report = await store.checkAudit();
    if (!report.ok || report.rebuilt !== undefined) return `the check says ${JSON.stringify(report)}`;
    const role = (await store.get(userKind.key(id)))?.value.role;
    return role === "owner" ? undefined : `the user has the role ${role}`;
  } finally {
    await store.abandon();
  }
}
