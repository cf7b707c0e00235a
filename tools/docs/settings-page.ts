import { type Setting, settingNames, settings } from "@gatehouse/contract/settings";
import { codeSpan, generatedFrom } from "./markdown.ts";

/** docs/operate/settings.md: every setting of the server, from the table that checks them. */
export function settingsPage(): string {
  const lines = [
    "# Settings",
    "",
    generatedFrom("packages/contract/src/settings/settings.ts"),
    "",
    "The server is told everything by environment variables; `gatehouse-server --help` prints this list.",
    "",
    "- An empty variable counts as unset.",
    "- A value that is not as described, and a `SERVICE_` variable that is not listed, stops the start with one line that says",
    "  what to write instead. Nothing is rounded, clamped or ignored.",
    "- The values of settings marked *secret* are never printed, not even when they are refused.",
    "- Settings are read once, at the start.",
  ];
  let section = "";
  for (const name of settingNames) {
    const setting: Setting = settings[name];
    if (setting.section !== section) lines.push("", `## ${setting.section}`);
    section = setting.section;
    lines.push("", `### ${name}`, "", setting.meaning, "", ...facts(name, setting));
  }
  return `${lines.join("\n")}\n`;
}

function facts(name: string, setting: Setting): string[] {
  const lines = [
    `- Value: ${spanAddresses(setting.shape)}${setting.secret === true ? " (*secret*)" : ""}`,
    `- Unset: ${whenUnset(setting)}`,
    `- Example: ${codeSpan(`${name}=${setting.example}`)}`,
  ];
  if (setting.usedBy !== undefined) lines.push(`- In this version: ${setting.usedBy}`);
  return lines;
}

/** Examples of addresses are not links to follow. */
function spanAddresses(text: string): string {
  return text.replaceAll(/https:\/\/[^\s,]+/g, codeSpan);
}

function whenUnset(setting: Setting): string {
  if (setting.unset !== undefined) return setting.unset;
  return setting.default === undefined || setting.default === "" ? "none" : codeSpan(setting.default);
}
