import { type Setting, settingNames, settings } from "@gatehouse/contract/settings";

const columns = 100;

/** What `gatehouse-server --help` prints: every setting, by section, for a terminal of 100 columns. */
export function settingsHelp(): string {
  const lines = [
    "gatehouse-server runs the Gatehouse control-plane server until it gets SIGTERM or SIGINT.",
    "",
    "Usage: gatehouse-server [--help | --version]",
    "",
    ...wrap(
      "Settings are environment variables. An empty one counts as unset. A value that is not as described here, or a SERVICE_ variable that is not listed, stops the start with one line that says what to write instead.",
      "",
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
    ...wrap(setting.meaning, indent),
    ...wrap(`Value: ${setting.shape}.`, indent),
    ...wrap(`Unset: ${whenUnset(setting)}.`, indent),
    ...wrap(`Example: ${name}=${setting.example}`, indent),
    ...(setting.usedBy === undefined ? [] : wrap(`Note: ${setting.usedBy}.`, indent)),
  ];
}

function whenUnset(setting: Setting): string {
  if (setting.unset !== undefined) return setting.unset;
  return setting.default === undefined || setting.default === "" ? "none" : setting.default;
}

/** Breaks at spaces only: a name or value that is longer than a line stays whole, so that it can be copied. */
function wrap(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(" ")) {
    const longer = line === indent ? indent + word : `${line} ${word}`;
    if (longer.length > columns && line !== indent) {
      lines.push(line);
      line = indent + word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}
