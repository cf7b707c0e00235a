import { rmSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { fault } from "@gatehouse/contract/faults";
import type { RunningAction, StartOptions } from "./action.ts";
import { actionEnvironment } from "./action-environment.ts";
import { detectIn, type DetectedSandbox, requireLevel } from "./detect-sandbox.ts";
import { LauncherLink } from "./launcher-link.ts";
import type { SandboxLevel } from "./level.ts";
import { makeRunDirectory } from "./runtime-directory.ts";

export interface LauncherOptions {
  /** Private, on a mount that lets programs run; made when it is absent. */
  readonly runtimeDirectory: string;
  /** The weakest level that is accepted. */
  readonly least: SandboxLevel;
  /** Hears that the launcher ended and was started again; for the server's log. */
  readonly onTrouble?: (message: string) => void;
}

export interface Launcher extends DetectedSandbox {
  /** Copies the artifact into the runtime directory, and refuses any whose bytes are not these. */
  stage(artifact: { readonly path: string; readonly sha256: string }): Promise<StagedArtifact>;
  /** Ends all that runs, takes every copy away, and stops the launcher. */
  close(): Promise<void>;
}

export interface StagedArtifact {
  readonly sha256: string;
  /** A fresh process for one action. Never throws for what the plugin or the host does; the end tells. */
  start(action: string, options: StartOptions): RunningAction;
  /** Takes the copy away. What runs from it is ended first. */
  remove(): Promise<void>;
}

/** Finds the strongest sandbox of this host, refuses one below `least`, and starts the process that will start plugins. */
export async function openLauncher(options: LauncherOptions): Promise<Launcher> {
  const directory = makeRunDirectory(options.runtimeDirectory);
  try {
    const { setup, ...found } = detectIn(directory);
    requireLevel(found, options.least);
    const link = new LauncherLink({ setup, directory, onTrouble: options.onTrouble ?? (() => undefined) });
    await link.ready;
    return {
      ...found,
      stage: (artifact) => stage(link, artifact),
      close: async () => {
        await link.close();
        rmSync(directory, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

async function stage(link: LauncherLink, { path, sha256 }: { path: string; sha256: string }): Promise<StagedArtifact> {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw fault("sandbox.staging_failed", "a digest is 64 lowercase hex characters");
  const staged = randomBytes(18).toString("hex");
  await link.stage(staged, path, sha256);
  return {
    sha256,
    start: (action, given) => {
      if (!/^[a-z][a-z0-9-]{0,31}$/.test(action)) throw new TypeError(`${JSON.stringify(action)} is no action`);
      const environment = { ...given.environment };
      actionEnvironment(environment);
      return link.start({ ...given, staged, action, environment });
    },
    remove: () => link.remove(staged),
  };
}
