import { wrapText } from "@gatehouse/base";
import { type Setting, settingNames, settings } from "@gatehouse/contract/settings";

/** What `gatehouse-server --help` prints: every setting, by section. */
export function settingsHelp(): string {
  const lines = [
    "gatehouse-server runs the Gatehouse control-plane server until it gets SIGTERM or SIGINT.",
    "",
    "Usage: gatehouse-server [--help | --version]",
    "",
    ...wrapText(
      "Settings are environment variables. An empty one counts as unset. A value that is not as described here, or a SERVICE_ variable that is not listed, stops the start with one line that says what to write instead.",
    ),
  ];
  let section = "";
  for (const name of settingNames) {
    const setting: Setting = settings[name];
    if (setting.section !== section) lines.push("", `${setting.section}:`);
    section = setting.section;
    lines.push(...describe(name, setting));
  }
  return `${lines.join("\n")}\n`;
}

function describe(name: string, setting: Setting): string[] {
  const indent = "      ";
  return [
    "",
    `  ${name}`,
    ...wrapText(setting.meaning, indent),
    ...wrapText(`Value: ${setting.shape}.`, indent),
    ...wrapText(`Unset: ${whenUnset(setting)}.`, indent),
    ...wrapText(`Example: ${name}=${setting.example}`, indent),
    ...(setting.usedBy === undefined ? [] : wrapText(`Note: ${setting.usedBy}.`, indent)),
  ];
}

function whenUnset(setting: Setting): string {
  if (setting.unset !== undefined) return setting.unset;
  return setting.default === undefined || setting.default === "" ? "none" : setting.default;
}
