import { createHash } from "node:crypto";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeStateGround } from "../../test/state-ground.ts";
import { readServiceState } from "./read-service-state.ts";

const command = "systemctl show web.service --property=LoadState,FragmentPath,UnitFileState";
const shown = (load: string, fragment: string, enabled: string) => ({
  [command]: { stdout: `LoadState=${load}\nFragmentPath=${fragment}\nUnitFileState=${enabled}\n` },
});
const place = "/usr/lib/systemd/system/web.service";
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test("a service is told by its unit file and by whether it starts with the host", async () => {
  const { ground, write, lines } = makeStateGround(shown("loaded", place, "enabled"));
  write(place, "[Service]\n");
  expect(await readServiceState(ground, "web.service")).toEqual({
    fragmentSha256: sha256("[Service]\n"),
    enabled: "enabled",
  });
  expect(lines).toEqual([command]);
});

test("a unit file that systemd found over a link is the file itself", async () => {
  const { ground, write, host } = makeStateGround(shown("loaded", "/lib/systemd/system/web.service", "static"));
  write(place, "[Service]\n");
  symlinkSync("usr/lib", join(host.root, "lib"));
  expect(await readServiceState(ground, "web.service")).toEqual({
    fragmentSha256: sha256("[Service]\n"),
    enabled: "static",
  });
});

test("a unit file that others may not read is not told by its hash", async () => {
  const { ground, write } = makeStateGround(shown("loaded", place, "enabled"));
  write(place, "[Service]\nEnvironment=PIN=1234\n", 0o600);
  const state = await readServiceState(ground, "web.service");
  expect(state?.["fragmentSha256"]).toMatch(/^[0-9a-f]{64}$/);
  expect(state?.["fragmentSha256"]).not.toBe(sha256("[Service]\nEnvironment=PIN=1234\n"));
});

test("a service that is not there is null", async () => {
  const { ground } = makeStateGround(shown("not-found", "", ""));
  expect(await readServiceState(ground, "web.service")).toBeNull();
});

test.each([
  ["systemd says nothing of", { [command]: { stdout: "" } }],
  ["is masked", shown("masked", "/dev/null", "masked")],
  ["has no file", shown("loaded", "", "transient")],
  ["has a file that is gone", shown("loaded", place, "enabled")],
  ["cannot be loaded", shown("bad-setting", place, "enabled")],
  ["is unknown to a systemd that does not answer", { [command]: { code: 1, stderr: "Failed to connect to bus" } }],
  ["is asked about without systemd", { [command]: undefined }],
])("a service that %s is unreadable", async (_, answers) => {
  const { ground } = makeStateGround(answers);
  await expect(readServiceState(ground, "web.service")).rejects.toThrow(/^state\.unreadable/);
});

test("a service of which nobody says whether it starts is unreadable", async () => {
  const { ground, write } = makeStateGround(shown("loaded", place, ""));
  write(place, "[Service]\n");
  await expect(readServiceState(ground, "web.service")).rejects.toThrow(/^state\.unreadable/);
});
