import { execFileSync } from "node:child_process";
import { link, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeBundle, placeBundle } from "../bundles/sample.ts";
import { makePluginPlace, type PluginPlace, sharedPlugins } from "./support/plugins.ts";
import { count, tried } from "./support/tried.ts";

/** Portainer, Argo CD: a link inside what was uploaded led to the files of the server. */
type Plant = (bundle: string, place: PluginPlace) => Promise<void>;

/** What can lie in the place of a bundle or of one of its files, and the reason that has to be given for it. */
const plants: Readonly<Record<string, readonly [code: string, plant: Plant]>> = {
  "manifest-link": ["bundle.not_a_regular_file", (bundle, at) => moveBehindLink(join(bundle, "manifest.json"), at)],
  "artifact-link": ["bundle.not_a_regular_file", (bundle, at) => moveBehindLink(join(bundle, "artifact"), at)],
  "directory-link": ["bundle.not_a_directory", (bundle, at) => moveBehindLink(bundle, at)],
  "dangling-artifact": ["bundle.not_a_regular_file", (bundle) => relink(join(bundle, "artifact"), "/no/such/file")],
  "dangling-directory": ["bundle.not_a_directory", (bundle) => relink(bundle, "/no/such/directory")],
  "looping-artifact": ["bundle.not_a_regular_file", (bundle) => relink(join(bundle, "artifact"), "artifact")],
  "looping-directory": ["bundle.not_a_directory", (bundle) => relink(bundle, bundle)],
  "link-to-secrets": [
    "bundle.not_a_regular_file",
    (bundle, { dataDir }) => relink(join(bundle, "manifest.json"), join(dataDir, "master.key")),
  ],
  "link-upwards": ["bundle.not_a_regular_file", (bundle) => relink(join(bundle, "artifact"), "../../trust.json")],
  "link-to-zeros": ["bundle.not_a_regular_file", (bundle) => relink(join(bundle, "artifact"), "/dev/zero")],
  "link-to-a-terminal": ["bundle.not_a_regular_file", (bundle) => relink(join(bundle, "artifact"), "/dev/tty")],
  "hard-link": [
    "bundle.hard_link",
    (bundle, { path }) => linkAgain(join(bundle, "artifact"), join(path, "other-name")),
  ],
  "hard-linked-manifest": [
    "bundle.hard_link",
    (bundle, { path }) => linkAgain(join(bundle, "manifest.json"), join(path, "other-manifest")),
  ],
  "manifest-pipe": ["bundle.not_a_regular_file", (bundle) => remake(join(bundle, "manifest.json"), "mkfifo")],
  "artifact-pipe": ["bundle.not_a_regular_file", (bundle) => remake(join(bundle, "artifact"), "mkfifo")],
  "directory-pipe": ["bundle.not_a_directory", (bundle) => remake(bundle, "mkfifo")],
  "artifact-socket": ["bundle.not_a_regular_file", (bundle) => socketAt(join(bundle, "artifact"))],
  "artifact-directory": ["bundle.not_a_regular_file", (bundle) => remake(join(bundle, "artifact"), "mkdir")],
  "manifest-directory": ["bundle.not_a_regular_file", (bundle) => remake(join(bundle, "manifest.json"), "mkdir")],
  "sparse-terabyte": ["bundle.artifact_too_large", (bundle) => truncate(join(bundle, "artifact"), 2 ** 40)],
  "sparse-manifest": ["bundle.manifest_too_large", (bundle) => truncate(join(bundle, "manifest.json"), 2 ** 40)],
  "third-entry": ["bundle.unexpected_entry", (bundle) => symlink("/etc/passwd", join(bundle, "passwd"))],
  "hidden-entry": ["bundle.unexpected_entry", (bundle) => writeFile(join(bundle, ".artifact"), "")],
  "inner-directory": ["bundle.unexpected_entry", (bundle) => mkdir(join(bundle, "lib"))],
  "missing-artifact": ["bundle.file_missing", (bundle) => rm(join(bundle, "artifact"))],
  "missing-manifest": ["bundle.file_missing", (bundle) => rm(join(bundle, "manifest.json"))],
  "a-file": ["bundle.not_a_directory", (bundle) => remake(bundle, "touch")],
};

const place = await makePluginPlace();
await mkdir(place.dataDir, { mode: 0o700 });
const expected: Record<string, string> = {};
for (const [word, [code, plant]] of Object.entries(plants)) {
  const id = `acme-${word}`;
  await plant(await placeBundle(place.directory, makeBundle({ id })), place);
  expected[id] = code;
}
if (deviceAt(await placeBundle(place.directory, makeBundle({ id: "acme-device" })))) {
  expected["acme-device"] = "bundle.not_a_regular_file";
}
// One that is in order, to see that the rest is refused for what it is.
await placeBundle(place.directory, makeBundle({ id: "acme-good" }));
const started = await sharedPlugins(place);

test("nothing is followed, waited for or opened in the place of a bundle's files", async (context) => {
  const { items } = await started.list();
  expect(items.map(({ id }) => id)).toEqual(["acme-good"]);
  expect(await started.codes()).toEqual(expected);
  const key = (await readFile(join(place.dataDir, "master.key"), "utf8")).trim();
  expect(started.server.stdout()).not.toContain(key);
  tried(context, `${count(Object.keys(expected).length, "kinds of entries")} at one start, each by its own reason`);
});

test("one that takes the place of a loaded bundle is found as well", async (context) => {
  for (const word of ["artifact-link", "directory-link", "artifact-pipe", "hard-link", "link-to-secrets"]) {
    const [code, plant] = plants[word] ?? ["", () => Promise.reject(new Error(word))];
    await rm(join(place.directory, "acme-good"), { recursive: true });
    await plant(await placeBundle(place.directory, makeBundle({ id: "acme-good" })), place);
    const { body } = await started.verify("acme-good");
    expect(body, word).toMatchObject({ accepted: false, loaded: false, refusal: { code } });
    const installed = await started.move("acme-good", "installed");
    expect(installed.code, word).toBe("plugin.digest_stale");
  }
  expect((await started.find("acme-good"))?.status).toBe("verified");
  tried(context, "5 in the place of a loaded bundle");
});

async function moveBehindLink(path: string, { path: outside }: PluginPlace): Promise<void> {
  const target = join(outside, `behind-${path.replaceAll("/", "-")}`);
  await rm(target, { recursive: true, force: true });
  await rename(path, target);
  await symlink(target, path);
}

async function linkAgain(path: string, other: string): Promise<void> {
  await rm(other, { force: true });
  await link(path, other);
}

async function relink(path: string, target: string): Promise<void> {
  await rm(path, { recursive: true });
  await symlink(target, path);
}

async function remake(path: string, program: "mkfifo" | "mkdir" | "touch"): Promise<void> {
  await rm(path, { recursive: true });
  execFileSync(program, [path]);
}

/** The file of a socket stays when its server is not told to end. */
async function socketAt(path: string): Promise<void> {
  await rm(path);
  const server = createServer();
  await new Promise<void>((done) => server.listen(path, done));
  server.unref();
}

/** Only root can make one, and not in every container. */
function deviceAt(bundle: string): boolean {
  try {
    execFileSync("rm", [join(bundle, "artifact")]);
    execFileSync("mknod", [join(bundle, "artifact"), "c", "1", "5"], { stdio: "ignore" });
    return true;
  } catch {
    execFileSync("rm", ["-r", bundle]);
    return false;
  }
}
