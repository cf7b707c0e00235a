import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Moment } from "./moments.ts";

/** Four files that someone put together, and what may come of it. */
export interface Mix {
  readonly name: string;
  /** Name in the directory, and where the file comes from. */
  readonly files: readonly (readonly [string, string])[];
  /** Whose history must be found if this starts: the log decides how far a store has come. None: it must not start. */
  readonly history?: Pick<Moment, "places">;
  readonly mustStart: boolean;
}

const keyName = "master.key";
const dataNames = ["state.json", "state.json.audit-wal", "logs.db"] as const;

/** Every state with every log and every archive, every set of missing files, and another installation's key. */
export async function makeMixes(scratch: string, moments: readonly Moment[]): Promise<Mix[]> {
  const foreignKey = join(scratch, "foreign.key");
  await writeFile(foreignKey, `${randomBytes(32).toString("hex")}\n`);
  return [
    ...moments.flatMap((state) => mixesWith(state, moments)),
    ...moments.flatMap((moment) => incomplete(moment, foreignKey)),
  ];
}

function mixesWith(state: Moment, moments: readonly Moment[]): Mix[] {
  return moments.flatMap((log) =>
    moments.map((archive) => ({
      name: `state ${state.name}, log ${log.name}, archive ${archive.name}`,
      files: [
        pair(keyName, state),
        pair("state.json", state),
        pair("state.json.audit-wal", log),
        pair("logs.db", archive),
      ],
      history: log,
      mustStart: state === log && log === archive,
    })),
  );
}

function incomplete(moment: Moment, foreignKey: string): Mix[] {
  const all = [...dataNames, keyName].map((name) => pair(name, moment));
  const mixes: Mix[] = [];
  for (let present = 0; present < 2 ** all.length - 1; present += 1) {
    const files = all.filter((_, index) => (present & (1 << index)) !== 0);
    const missing = all.filter((file) => !files.includes(file)).map(([name]) => name);
    // With nothing left that held a record, this is a new directory, with or without a key that was put there.
    const isNew = dataNames.every((name) => missing.includes(name));
    const history = isNew ? { places: [] } : missing.includes("state.json.audit-wal") ? undefined : moment;
    mixes.push({
      name: `moment ${moment.name} without ${missing.join(", ")}`,
      files,
      ...(history === undefined ? {} : { history }),
      mustStart: isNew,
    });
  }
  const foreign = all.map(([name, path]) => [name, name === keyName ? foreignKey : path] as const);
  return [...mixes, { name: `moment ${moment.name} with a foreign key`, files: foreign, mustStart: false }];
}

function pair(name: string, moment: Moment): readonly [string, string] {
  return [name, join(moment.directory, name)];
}
