import { createHash, type Hash } from "node:crypto";
import { runAll } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import type { Vfs, VfsFile } from "@gatehouse/files";
import type { StopTimer, Timers } from "../host/timers.ts";
import { artifactLimits } from "./artifact-limits.ts";
import type { KeptArtifact } from "./kept-artifact.ts";
import type { TaskPart } from "./task.ts";

export interface ArrivingDeps {
  readonly vfs: Vfs;
  readonly timers: Timers;
  readonly path: string;
  /** Called when it is too old to stay. */
  readonly onOld: () => void;
}

/** Makes the file of an artifact: anew, so that nobody else has it open. */
export async function beginArtifact(deps: ArrivingDeps, part: TaskPart): Promise<ArrivingArtifact> {
  const { vfs, path } = deps;
  // What has been left there is not believed, and a link in its place is not followed.
  await vfs.remove(path);
  return new ArrivingArtifact(deps, part, await vfs.open(path, "create"));
}

/** An artifact in its file, as far as it has come; hashed as it comes. */
export class ArrivingArtifact {
  readonly sha256: string;
  readonly size: number;
  readonly #deps: ArrivingDeps;
  readonly #file: VfsFile;
  readonly #hash: Hash = createHash("sha256");
  readonly #stopAge: StopTimer;
  #held = 0;
  #isOld = false;

  constructor(deps: ArrivingDeps, { sha256, size }: TaskPart, file: VfsFile) {
    this.#deps = deps;
    this.sha256 = sha256;
    this.size = size;
    this.#file = file;
    this.#stopAge = deps.timers.after(artifactLimits.keptMs, () => {
      this.#isOld = true;
      deps.onOld();
    });
  }

  /** Bytes that are here. */
  get held(): number {
    return this.#held;
  }

  get isOld(): boolean {
    return this.#isOld;
  }

  /** The next piece. The last one is taken only when all are what was named. */
  async put(bytes: Uint8Array): Promise<void> {
    await this.#file.write(bytes, this.#held);
    this.#hash.update(bytes);
    if (this.#held + bytes.byteLength === this.size) {
      const found = this.#hash.digest("hex");
      if (found !== this.sha256) throw fault("blob.digest", `expected ${this.sha256}, found ${found}`);
    }
    this.#held += bytes.byteLength;
  }

  get kept(): KeptArtifact {
    const { sha256, size } = this;
    let isClosed = false;
    return {
      sha256,
      size,
      read: async (position, length) => {
        // By then the number of its descriptor may be that of another file.
        if (isClosed) throw fault("artifact.missing", `expected ${sha256}, found it closed`);
        return this.#file.read(position, length);
      },
      close: async () => {
        if (isClosed) return;
        isClosed = true;
        await this.#file.close();
      },
    };
  }

  /** Its name goes; whoever has it goes on reading it, and closes it. */
  async giveAway(): Promise<void> {
    this.#stopAge();
    await this.#deps.vfs.remove(this.#deps.path);
  }

  async remove(): Promise<void> {
    this.#stopAge();
    await runAll([() => this.#file.close(), () => this.#deps.vfs.remove(this.#deps.path)]);
  }
}
