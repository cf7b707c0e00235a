import { table, UsageError } from "@gatehouse/command-line";
import { nearestName } from "@gatehouse/contract";
import type { ServerSettings } from "@gatehouse/contract/routes";
import { sayStop } from "./say-stop.ts";

interface SettingRow {
  readonly takes: readonly string[];
  /** What changes it to one of these. */
  readonly change: (value: string) => object;
  readonly say: (settings: ServerSettings) => string;
}

const rows = {
  "plans.selfApproval": {
    takes: ["true", "false"],
    change: (value) => ({ plans: { selfApproval: value === "true" } }),
    say: ({ plans }) => String(plans.selfApproval),
  },
  "plans.stopped": {
    // Stopping needs less than this: it has a command of its own.
    takes: ["none"],
    change: () => ({ plans: { stopped: null } }),
    say: ({ plans }) => (plans.stopped === null ? "none" : sayStop(plans.stopped)),
  },
} as const satisfies Record<string, SettingRow>;

export const changeableSettings = Object.keys(rows);

/** The body that changes a setting as a person named it. */
export function parseSetting(name: string, value: string, topic: string): object {
  const row = Object.hasOwn(rows, name) ? (rows as Readonly<Record<string, SettingRow>>)[name] : undefined;
  if (row === undefined) {
    const nearest = nearestName(name, changeableSettings);
    const meant = nearest === undefined ? `there are ${changeableSettings.join(", ")}` : `did you mean ${nearest}?`;
    throw new UsageError(`there is no setting ${JSON.stringify(name)}; ${meant}`, topic);
  }
  if (row.takes.includes(value)) return row.change(value);
  throw new UsageError(`${name} takes ${row.takes.join(" or ")}; found ${JSON.stringify(value)}`, topic);
}

export function settingLines(settings: ServerSettings): string[] {
  return table(
    ["setting", "value"],
    Object.entries(rows).map(([name, { say }]) => [name, say(settings)]),
  );
}
