import { expect, test } from "vitest";
import { type Setting, settingNames, settings } from "./settings.ts";

const rows = settingNames.map((name): [string, Setting] => [name, settings[name]]);

test("every setting of contract 5.1 is in the table", () => {
  expect(settingNames).toEqual(
    expect.arrayContaining([
      "SERVICE_ADMIN_USERNAME",
      "SERVICE_ADMIN_PASSWORD",
      "SERVICE_PUBLIC_URL",
      "SERVICE_SECURE_COOKIES",
      "SERVICE_TRUST_PROXY",
      "SERVICE_GEOIP_LOOKUP_URL",
      "SERVICE_ACCESS_LOG",
      "SERVICE_SLOW_REQUEST_MS",
      "SERVICE_MASTER_KEY_FILE",
      "SERVICE_PLUGIN_DIR",
      "SERVICE_PLUGIN_TRUST",
    ]),
  );
});

test.each(rows)("%s: the default and the example are values its parser takes", (_name, row) => {
  if (row.default !== undefined) expect(row.parse(row.default)).toHaveProperty("value");
  if (row.example.startsWith("<")) return; // A secret's example is a placeholder.
  expect(row.parse(row.example)).toHaveProperty("value");
});

test.each(rows)("%s: its texts are for one line and end as sentences do", (_name, row) => {
  expect(row.meaning).toMatch(/^[^\n]{10,}\.$/);
  expect(row.shape).toMatch(/^[^\n]+[^.]$/);
});

test("the settings that nothing uses yet say who will, and no other setting does", () => {
  const waiting = rows.filter(([, row]) => row.usedBy !== undefined);
  expect(waiting.map(([name]) => name)).toEqual(["SERVICE_BACKUP_RECIPIENT"]);
  for (const [, row] of waiting) expect(row.usedBy).toMatch(/^checked at start; used by [a-z ]+ from its release on$/);
});

test("settings of one section stand together", () => {
  const sections = rows.map(([, row]) => row.section).filter((section, index, all) => section !== all[index - 1]);
  expect(sections).toHaveLength(new Set(sections).size);
});

test("what must not be printed is marked secret", () => {
  const secret = rows.filter(([, row]) => row.secret === true).map(([name]) => name);
  expect(secret).toEqual([
    "SERVICE_BACKUP_RECIPIENT",
    "SERVICE_ADMIN_PASSWORD",
    "SERVICE_METRICS_TOKEN",
    "SERVICE_GEOIP_LOOKUP_URL",
  ]);
});
