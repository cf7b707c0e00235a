import { trustsServer } from "../support/pretend-state.ts";
import { until } from "../support/until.ts";
import type { Api } from "./api.ts";
import { bringHost, type BroughtHost, type TakenChange } from "./connect-host.ts";
import { serverCeiling } from "./host-ceilings.ts";
import type { World } from "./world.ts";

export interface SeededWaves {
  /** A few hosts in three waves, halted in the second, with one still under way. */
  readonly halted: string;
  /** More hosts than a table shows, in the middle of the third wave. */
  readonly large: string;
}

interface WavesDeps {
  readonly world: World;
  readonly api: Api;
  readonly approver: Api;
  readonly keep: (host: BroughtHost) => void;
}

/** What a host does with its change, by how many have taken theirs before it: in which wave a host is depends on its id. */
type Play = (at: number, change: TakenChange, word: string) => void;

/** Plans that were stopped half way, as a page finds them. */
export async function seedWaves(deps: WavesDeps): Promise<SeededWaves> {
  const halted = await start(deps, {
    title: "Certificates of the edge, two hosts a wave",
    site: "fra1-edge",
    hosts: 7,
    tagged: 3,
    run: { waves: { canary: 1, tags: ["edge-lab"] }, halt: { after: 1 } },
    play: (at, change, word) => {
      if (at === 1) return under(change);
      if (at === 2) return change.end(word, "rolled_back", { code: "confirm.late", detail: "no proof in 120 s" });
      change.end(word, "applied");
    },
  });
  await reached(deps.api, halted, (tasks) => tasks["rolled_back"] === 1);
  const large = await start(deps, {
    title: "nginx 1.28.1 on every web host",
    site: "ams1-web",
    hosts: 60,
    tagged: 16,
    run: { waves: { canary: 4, tags: ["web-lab"] }, halt: { after: 3 } },
    play: (at, change, word) => {
      if (at === 9) return change.end(word, "rolled_back", { code: "confirm.late", detail: "no proof in 120 s" });
      if (at === 12) return change.end(word, "failed_before_change", { code: "snapshot.failed", detail: "disk full" });
      if (at >= 48) return under(change);
      change.end(word, "applied");
    },
  });
  await reached(deps.api, large, (tasks) => tasks["sent"] === 12 && tasks["applied"] === 46);
  return { halted, large };
}

function under(change: TakenChange): void {
  for (const step of ["validated", "snapshotted", "armed", "applying", "checking"] as const) change.step(step);
}

interface Story {
  readonly title: string;
  readonly site: string;
  readonly hosts: number;
  /** So many of them have the tag of the second wave, behind those that go first. */
  readonly tagged: number;
  readonly run: {
    readonly waves: { readonly canary: number; readonly tags: readonly string[] };
    readonly halt: object;
  };
  readonly play: Play;
}

async function start({ world, api, approver, keep }: WavesDeps, story: Story): Promise<string> {
  const { waves } = story.run;
  let word = "";
  let taken = 0;
  const takes = (change: TakenChange): void => {
    story.play(taken, change, word);
    taken += 1;
  };
  const nodes: string[] = [];
  for (let at = 0; at < story.hosts; at += 1) {
    const isTagged = at >= waves.canary && at < waves.canary + story.tagged;
    const host = await bringHost(
      world,
      api,
      { name: `${story.site}-${String(at + 1).padStart(3, "0")}`, tags: isTagged ? waves.tags : [] },
      { tell: trustsServer, ceiling: serverCeiling, takes },
    );
    keep(host);
    nodes.push(host.id);
  }
  const { body } = await api.call("POST", "/api/plans", {
    title: story.title,
    summary: "The certificate was renewed, and nginx still serves the old one.",
    nodes,
    operations: [{ kind: "service.restart", unit: "nginx.service" }],
  });
  const path = `/api/plans/${String(body["id"])}`;
  const ifMatch = async () => ({ "If-Match": (await api.call("GET", path)).etag });
  const approved = await approver.call("POST", `${path}/approvals`, { server: true }, await ifMatch());
  word = (approved.body["approvals"] as { readonly id: string }[])[0]?.id ?? "";
  const started = await api.call("POST", `${path}/apply`, story.run, await ifMatch());
  if (started.status !== 200) throw new Error(`apply was answered ${started.status} ${JSON.stringify(started.body)}`);
  return String(body["id"]);
}

async function reached(api: Api, plan: string, isThere: (tasks: Record<string, number>) => boolean): Promise<void> {
  await until("the plan is as far as it is to be", async () => {
    const { body } = await api.call("GET", `/api/plans/${plan}/waves`);
    const all: Record<string, number> = {};
    for (const { tasks } of body["items"] as { readonly tasks: Readonly<Record<string, number>> }[]) {
      for (const [state, count] of Object.entries(tasks)) all[state] = (all[state] ?? 0) + count;
    }
    return isThere(all);
  });
}
