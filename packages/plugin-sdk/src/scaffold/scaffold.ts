import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fault, pluginIdPattern } from "@gatehouse/contract";

export interface ScaffoldOptions {
  readonly id: string;
  readonly publisher: string;
}

/**
 * Makes a new plugin in a directory that is absent or empty: a working example, its test, its build, and a copy of the SDK's
 * core, so that it depends on nothing of ours. Gives the files it wrote, relative to the directory.
 */
export async function scaffold(directory: string, { id, publisher }: ScaffoldOptions): Promise<readonly string[]> {
  for (const [what, name] of Object.entries({ id, publisher })) {
    // It goes into files that are read as JSON and as code.
    if (!pluginIdPattern.test(name)) throw new RangeError(`the ${what} must be 2 to 63 of a-z, 0-9 and -`);
  }
  await mkdir(directory, { recursive: true });
  const found = await readdir(directory);
  if (found.length > 0) throw fault("cli.exists", `${directory} is not empty: it holds ${found[0] ?? ""}`);
  const files = [...(await templateFiles({ id, publisher, name: nameOf(id) })), ...(await sdkFiles())];
  for (const { path, text } of files) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text, { flag: "wx" });
  }
  return files.map(({ path }) => path).toSorted();
}

interface NewFile {
  readonly path: string;
  readonly text: string;
}

const sdkHome = fileURLToPath(new URL("../../", import.meta.url));
const suffix = ".template";

async function templateFiles(words: Readonly<Record<string, string>>): Promise<NewFile[]> {
  const home = join(sdkHome, "template");
  const names = await readdir(home, { recursive: true });
  return Promise.all(
    names
      .filter((name) => name.endsWith(suffix))
      .map(async (name) => ({
        path: name.slice(0, -suffix.length),
        text: (await readFile(join(home, name), "utf8")).replace(
          /\{\{(\w+)\}\}/g,
          (_, word: string) => words[word] ?? "",
        ),
      })),
  );
}

/** Core and build import nothing of ours: they work wherever they are copied. */
async function sdkFiles(): Promise<NewFile[]> {
  const core = join(sdkHome, "src/core");
  const names = (await readdir(core)).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const paths = [...names.map((name) => join(core, name)), join(sdkHome, "src/build/build-artifact.ts")];
  return Promise.all(
    paths.map(async (path) => ({
      path: `gatehouse/${path.slice(dirname(path).length + 1)}`,
      text: await readFile(path, "utf8"),
    })),
  );
}

/** `my-plugin` is called "My plugin" until somebody has a better idea. */
function nameOf(id: string): string {
  const words = id.replaceAll("-", " ").trim();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
