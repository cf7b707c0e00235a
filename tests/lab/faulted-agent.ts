import type { Artifact } from "@gatehouse/contract/routes";
import { artifactOf } from "@gatehouse/plan";
import { elfOf } from "../support/elf-program.ts";
import { type AgentUpdate, openReleaseYard, releaseOf, type ReleaseYard } from "./lab-releases.ts";
import { bringProgram } from "./lab-programs.ts";
import type { PlanDesk } from "./plan-desk.ts";

/** The agent of one host, which is updated again and again: always by one version, because none is ever taken back by a plan. */
export class FaultedAgent {
  readonly #yard: ReleaseYard;
  #number = 1;
  #brought: Artifact | undefined;

  constructor(yard: ReleaseYard) {
    this.#yard = yard;
  }

  static async open(): Promise<FaultedAgent> {
    return new FaultedAgent(await openReleaseYard());
  }

  /** With which hosts are enrolled. */
  get first(): { readonly agent: Uint8Array } {
    return { agent: this.#yard.agent(this.version) };
  }

  /** The one that is installed. */
  get version(): string {
    return versionOf(this.#number);
  }

  /** The one after it, once the lab's server has its bytes; or one that does not start. */
  async next(plans: PlanDesk, isBad: boolean): Promise<AgentUpdate> {
    const version = versionOf(this.#number + 1);
    const small = elfOf(process.arch === "arm64" ? "arm64" : "x64", 4_096);
    const bytes = isBad ? small : this.#yard.agent(version);
    const update = releaseOf(bytes, version);
    const facts = artifactOf(update);
    if (facts === undefined) throw new Error("an update has an artifact");
    this.#brought = await bringProgram(plans, facts, bytes);
    return update;
  }

  /** It was applied. */
  isNow({ version }: AgentUpdate): void {
    this.#yard.forget(this.version);
    this.#number += 1;
    if (version !== this.version) throw new Error(`expected ${this.version}, found ${version}`);
  }

  /** The bytes of the last one go from the server: a hundred of them would be more than it takes. */
  async clear(plans: PlanDesk): Promise<void> {
    const { id } = this.#brought ?? {};
    const { status, text } = await plans.send("DELETE", `/api/artifacts/${id}`);
    if (status !== 204) throw new Error(`the removal was answered ${status}: ${text}`);
  }

  remove(): Promise<void> {
    return this.#yard.remove();
  }
}

const versionOf = (number: number) => `9.0.${number}`;
