import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { childEnvironment } from "../support/child-environment.ts";
import { ask } from "./ask.ts";
import { imageVariable } from "./driver/container-driver.ts";
import { freshDirectory } from "./driver/directories.ts";
import { baseUrlOf, root } from "./driver/process-driver.ts";
import { startProgram } from "./driver/program.ts";
import { firstAdministrator } from "./driver/server-driver.ts";
import { runOnTerminal } from "../support/walk/on-terminal.ts";
import { isExternal } from "./server-under-test.ts";
import { isShown, walkOf } from "../support/walk/walk-of.ts";

/**
 * docs/plugins/publish.md, walked by somebody who does only what the page says: its files, its commands, on a terminal.
 * With processes only: in a container the publisher's files would belong to the image's user.
 */
const page = readFileSync(join(root, "docs/plugins/publish.md"), "utf8");
const walk = walkOf(page);
const passphrase = "fourteen wooden bridges";
const password = firstAdministrator["SERVICE_ADMIN_PASSWORD"] ?? "";

test("the page leads from a new key to an installed plugin in at most ten commands", () => {
  expect(walk.steps.length).toBeLessThanOrEqual(10);
  expect(walk.steps[0]?.command).toMatch(/^gatehouse plugin keygen /);
  expect(walk.steps.at(-1)?.command).toMatch(/^gatehouse plugin install /);
});

test.skipIf(isExternal || process.env[imageVariable] !== undefined)(
  "whoever follows the page has an installed plugin at its end, and the audit log says who accepted it",
  async () => {
    const cwd = readyDirectory();
    const env = childEnvironment({ PATH: `${programs()}:${process.env["PATH"] ?? ""}`, HOME: freshDirectory() });
    const answers = [
      { question: "assphrase of acme.key: ", answer: passphrase },
      { question: "The same again: ", answer: passphrase },
      { question: "Password of admin at ", answer: password },
    ];
    for (const { command, shows } of walk.steps) {
      if (command.endsWith(" gatehouse-server")) {
        // Its address is the machine's choice here; everything else is as the page says.
        env["GATEHOUSE_SERVER"] = await startServerBy(command, cwd, { ...env, ...firstAdministrator });
        continue;
      }
      const { code, shown } = await runOnTerminal(command, { cwd, env, answers });
      expect(code, `${command}\n${shown}`).toBe(0);
      for (const line of shows) expect(isShown(line, shown), `${command} does not show ${line}:\n${shown}`).toBe(true);
      expect(shown).not.toContain(passphrase);
    }

    expect(statSync(join(cwd, "acme.key")).mode & 0o777).toBe(0o600);
    const server = env["GATEHOUSE_SERVER"] ?? "";
    const cookie = await signIn(server);
    const listed = await ask(server, { path: "/api/plugins/lifecycle", headers: { Cookie: cookie } });
    expect(listed.json).toMatchObject({ items: [{ id: "acme-hello", status: "installed" }], rejections: [] });
    const audit = await ask(server, { path: "/api/audit?action=plugin.installed", headers: { Cookie: cookie } });
    expect(audit.json).toMatchObject({ items: [{ subject: "plugin/acme-hello", outcome: "done" }] });
  },
);

/** The reader's directory: the page's files, and the one directory that the installation made. */
function readyDirectory(): string {
  const cwd = freshDirectory();
  mkdirSync(join(cwd, "plugins"));
  for (const [name, text] of walk.files) writeFileSync(join(cwd, name), text);
  return cwd;
}

/** The two programs under the names they have in the image. */
function programs(): string {
  const bin = freshDirectory();
  for (const [name, app] of [
    ["gatehouse", "cli"],
    ["gatehouse-server", "server"],
  ] as const) {
    const line = `exec '${process.execPath}' '${join(root, "apps", app, "src/main.ts")}' "$@"`;
    writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  }
  return bin;
}

async function startServerBy(command: string, cwd: string, env: Record<string, string>): Promise<string> {
  const program = startProgram("/bin/sh", ["-c", `exec env ${command}`], {
    cwd,
    env: { ...env, SERVICE_LISTEN: "127.0.0.1:0" },
  });
  onTestFinished(async () => {
    program.signal("SIGKILL");
    await program.ended;
  });
  return baseUrlOf(await program.out.waitFor(/\blistening\b/));
}

async function signIn(server: string): Promise<string> {
  const { headers, status } = await ask(server, {
    method: "POST",
    path: "/api/auth/login",
    headers: { "Content-Type": "application/json", Origin: server },
    body: JSON.stringify({ username: firstAdministrator["SERVICE_ADMIN_USERNAME"], password }),
  });
  expect(status).toBe(200);
  return headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
}
