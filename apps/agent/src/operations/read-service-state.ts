import { realpathSync } from "node:fs";
import { join } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { serviceState, systemctlWords } from "@gatehouse/plan";
import { failedProgram } from "./failed-program.ts";
import type { HostOperation, StateGround } from "./host-operation.ts";
import { readPlainFile } from "./read-plain-file.ts";
import { parseShown } from "./parse-shown.ts";

const mostBytes = 1024 * 1024;

/** A service by its own unit file and by whether it starts with the host; not by whether it runs. */
export const readServiceState: HostOperation["readState"] = async (ground, unit) => {
  const ran = await ground.run("systemctl", systemctlWords.state(unit));
  if (ran.code !== 0) throw failedProgram("systemctl", ran);
  const value = (name: string) => parseShown(ran.stdout)[0]?.get(name)?.[0] ?? "";
  const [load, fragment, enabled] = [value("LoadState"), value("FragmentPath"), value("UnitFileState")];
  if (load === "not-found") return null;
  if (load !== "loaded" || fragment === "") {
    throw fault("state.unreadable", `${unit}: expected a unit with a file of its own, found ${load || "nothing"}`);
  }
  const state = { fragmentSha256: await digestOf(ground, fragment, unit), enabled };
  if (serviceState.safeParse(state).success) return state;
  throw fault("state.unreadable", `${unit}: systemd does not say whether it starts with the host`);
};

/**
 * systemd names the file, and links to units are its own way: it is found first, and then no link may be left. One that others may
 * not read is named by a MAC, as a file is.
 */
async function digestOf(ground: StateGround, fragment: string, unit: string): Promise<string> {
  const found = await readPlainFile(ground, realName(ground.root, fragment), { mostBytes, isLinkedOften: true });
  if (found === null) throw fault("state.unreadable", `${unit}: ${fragment} is gone; systemd has not been told`);
  return found.digest;
}

function realName(root: string, path: string): string {
  try {
    const base = realpathSync(root);
    const real = realpathSync(join(base, path));
    return base === "/" ? real : real.slice(base.length);
  } catch (cause) {
    throw fault("state.unreadable", `${path} cannot be found`, { cause });
  }
}
