import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isShown, walkOf } from "../support/walk/walk-of.ts";
import { Walker } from "../support/walk/walker.ts";
import { imageVariable } from "./driver/container-driver.ts";
import { freshDirectory } from "./driver/directories.ts";
import { root } from "./driver/process-driver.ts";
import { isExternal } from "./server-under-test.ts";

/**
 * docs/plugins/publish.md, walked by somebody who does only what the page says: its files, its commands, on a terminal, with
 * nothing set that it does not set. With processes only: in a container the publisher's files would belong to the image's user.
 */
const page = readFileSync(join(root, "docs/plugins/publish.md"), "utf8");
const walk = walkOf(page);
const passphrase = "fourteen wooden bridges";
const lines = walk.steps.map(({ command }) => command);

test("the page leads from a new key to an installed plugin in at most ten commands of ours", () => {
  const ours = lines.filter((line) => /\bgatehouse(?:-server)?\b/.test(line) && !line.startsWith("export "));
  expect(ours[0]).toMatch(/^gatehouse plugin keygen /);
  const installed = ours.findIndex((line) => line.startsWith("gatehouse plugin install "));
  expect(installed).toBeGreaterThan(0);
  expect(installed).toBeLessThan(10);
});

test.skipIf(isExternal || process.env[imageVariable] !== undefined)(
  "whoever follows the page has an installed plugin at its end, which answers, and the audit log says who accepted it",
  async () => {
    const answers = [
      { question: "assphrase of acme.key: ", answer: passphrase },
      { question: "The same again: ", answer: passphrase },
    ];
    const reader = new Walker({ place: freshDirectory(), cwd: root, answers });
    onTestFinished(() => reader.leave());
    const cwd = join(reader.home, "hello");
    let made = false;
    for (const { command, shows } of walk.steps) {
      if (command.endsWith(" gatehouse-server")) {
        await reader.serve(command);
        continue;
      }
      const { code, shown } = await reader.type(command);
      expect(code, `${command}\n${shown}`).toBe(0);
      for (const line of shows) expect(isShown(line, shown), `${command} does not show ${line}:\n${shown}`).toBe(true);
      expect(shown).not.toContain(passphrase);
      if (made || !command.includes("mkdir")) continue;
      // The reader saves the page's files in the directory it works in.
      for (const [name, text] of walk.files) writeFileSync(join(cwd, name), text);
      made = true;
    }

    expect(statSync(join(cwd, "acme.key")).mode & 0o777).toBe(0o600);
    const { shown: listed } = await reader.type("gatehouse plugin list --json");
    expect(JSON.parse(listed)).toMatchObject({ items: [{ id: "acme-hello", status: "active" }], rejections: [] });
    const { shown: audited } = await reader.type("gatehouse audit search --action plugin.installed --json");
    expect(JSON.parse(audited)).toMatchObject({ items: [{ subject: "plugin/acme-hello", outcome: "done" }] });
  },
);
