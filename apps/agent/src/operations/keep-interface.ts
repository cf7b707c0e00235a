import { join } from "node:path";
import { isFault } from "@gatehouse/contract/faults";
import { makeDirectoryDurably, writeDurably } from "@gatehouse/files";
import { renderLink, renderWireguard, wireguardFiles, wireguardName } from "@gatehouse/plan";
import type { KeptGround, KeptKind } from "./host-operation.ts";
import { findBytes, namesIn } from "./put-script.ts";
import { setUpInterface } from "./set-up-interface.ts";
import { findWireguardKey } from "./wireguard-keys.ts";

/** More than any interface of a plan has. */
const mostBytes = 32 * 1024 * 1024;

/** Interfaces are forgotten by the kernel, and set up at every boot, with the key that the host keeps for them. */
export const keptInterfaces: KeptKind<"network.wireguard"> = {
  keep: async ({ vfs, paths: { wireguard } }, operation) => {
    const { interface: name } = operation;
    const put = (file: string, text: string) =>
      writeDurably(vfs, join(wireguard, file), new TextEncoder().encode(text));
    await makeDirectoryDurably(vfs, wireguard);
    await put(wireguardFiles.keptConfiguration(name), renderWireguard(operation));
    await put(wireguardFiles.keptLink(name), renderLink(operation));
  },
  load: async (ground) => {
    const files = await namesIn(ground.vfs, ground.paths.wireguard);
    const names = files.flatMap((file) => findName(file) ?? []).toSorted();
    const tried: { readonly name: string; readonly why: string | undefined }[] = [];
    for (const name of names) tried.push({ name, why: await findSetUpFlaw(ground, name) });
    const own = names.flatMap(ownFiles);
    return {
      loaded: tried.flatMap(({ name, why }) => (why === undefined ? [name] : [])),
      failed: tried.flatMap(({ name, why }) => (why === undefined ? [] : [{ name, why }])),
      ignored: files.filter((file) => !own.includes(file) && !file.endsWith(".key")),
    };
  },
};

function ownFiles(name: string): string[] {
  return [wireguardFiles.keptConfiguration(name), wireguardFiles.keptLink(name)];
}

function findName(file: string): string | undefined {
  const name = wireguardName.safeParse(file.replace(/\.conf$/, "")).data;
  return name !== undefined && wireguardFiles.keptConfiguration(name) === file ? name : undefined;
}

/** Why the interface could not be set up; undefined when it is there now. */
async function findSetUpFlaw(ground: KeptGround, name: string): Promise<string | undefined> {
  const { vfs, paths } = ground;
  const at = (file: string) => join(paths.wireguard, file);
  const files = {
    configuration: at(wireguardFiles.keptConfiguration(name)),
    link: at(wireguardFiles.keptLink(name)),
  };
  try {
    // Both programs take an empty file for one that asks for nothing, and say that all is well.
    const isWhole =
      (await begins(vfs, files.configuration, "[Interface]\n")) &&
      (await begins(vfs, files.link, `link set dev ${name} down\n`));
    if (!isWhole) return "its files do not hold the interface of their name";
    const key = findWireguardKey(paths.root, name);
    if (key === undefined) return "the host keeps no key for it";
    await setUpInterface(ground, name, { ...files, key: key.path }, "apply.failed");
    return undefined;
  } catch (error) {
    if (isFault(error)) return error.detail;
    return `it cannot be read: ${(error as NodeJS.ErrnoException).code ?? "unknown"}`;
  }
}

async function begins(vfs: KeptGround["vfs"], path: string, head: string): Promise<boolean> {
  const text = new TextDecoder().decode(await findBytes(vfs, path, mostBytes));
  return text.startsWith(head) && text.endsWith("\n");
}
