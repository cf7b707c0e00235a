import { groupFile, unitFiles } from "../../apps/agent/src/host/unit-files.ts";
import { errorsPage } from "./errors-page.ts";
import { recordsPage } from "./records-page.ts";
import { settingsPage } from "./settings-page.ts";

/** Every page that is made from code, by its path. */
export const pages: Readonly<Record<string, () => string>> = {
  "docs/errors.md": errorsPage,
  "docs/operate/records.md": recordsPage,
  "docs/operate/settings.md": settingsPage,
  "deploy/systemd/gatehouse.sysusers.conf": () => groupFile,
  ...Object.fromEntries(Object.entries(unitFiles).map(([name, text]) => [`deploy/systemd/${name}`, () => text])),
};
