import type { Fault } from "@gatehouse/base";
import { fault } from "../faults.ts";
import { nearestName } from "../nearest-name.ts";
import type { Refusal } from "./setting-values.ts";
import { type Setting, type SettingName, type SettingValues, settingNames, settings } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Names with our prefix that are not settings of the server. */
const notSettings: readonly string[] = [
  "SERVICE_TERMINAL_USER", // Set inside terminal sessions; a server started from one inherits it.
];

/**
 * Checks the whole environment and gives the typed values, or refuses with one line that says what to write instead:
 * for the first bad setting in the order of the table, then for the first variable that is no setting.
 */
export function readSettings(environment: Environment): SettingValues {
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const name of settingNames) {
    const { judgedWhenUsed }: Setting = settings[name];
    // What is ignored is not judged. An empty variable is an unset one here too.
    values[name] = judgedWhenUsed === true ? environment[name] || undefined : readSetting(name, environment[name]);
  }
  const unknown = Object.keys(environment)
    .filter((name) => name.startsWith("SERVICE_"))
    .sort()
    .find(isUnknown);
  if (unknown !== undefined) throw refuseUnknown(unknown);
  // Every name of the table was read by its own parser just above.
  return values as SettingValues;
}

/** One setting by its own row: its value, undefined when it is not set and has no default, or the refusal. */
export function readSetting<Name extends SettingName>(name: Name, given: string | undefined): SettingValues[Name];
export function readSetting(name: SettingName, given: string | undefined): unknown {
  const setting: Setting = settings[name];
  // Compose files pass unset variables on as empty ones.
  const text = given === undefined || given === "" ? setting.default : given;
  if (text === undefined) return undefined;
  if (setting.multiline !== true && unprintable.test(text)) {
    throw refuse(name, text, { expected: "no control characters (was the file saved with Windows line ends?)" });
  }
  const reading = setting.parse(text);
  if ("value" in reading) return reading.value;
  throw refuse(name, text, reading);
}

function refuse(name: SettingName, text: string, refusal: Refusal): Fault {
  const setting: Setting = settings[name];
  const found = setting.secret === true ? "" : `, found ${quote(text)}`;
  const write = refusal.write === undefined ? `for example ${name}=${setting.example}` : `${name}=${refusal.write}`;
  const line = `${name}: expected ${refusal.expected ?? setting.shape}${found}; write ${write}`;
  return fault("config.invalid", oneLine(line), { fields: { setting: name } });
}

/** Never shows the value: a misspelt password is still a password. */
function refuseUnknown(name: string): Fault {
  const nearest = nearestName(name, settingNames);
  const instead =
    nearest === undefined ? "remove it, or see gatehouse-server --help for the settings there are" : `write ${nearest}`;
  return fault("config.invalid", oneLine(`${name}: there is no such setting; ${instead}`), {
    fields: { setting: name },
  });
}

function isUnknown(name: string): boolean {
  return !Object.hasOwn(settings, name) && !notSettings.includes(name);
}

/** Shows a value, but not the credentials that may stand in a URL, and not pages of it. */
function quote(text: string): string {
  const shown = text.replaceAll(/\/\/[^/@\s]*@/g, "//…@");
  return JSON.stringify(shown.length > 80 ? `${shown.slice(0, 80)}…` : shown);
}

const unprintable = /[\p{Cc}\p{Zl}\p{Zp}]/u;

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
