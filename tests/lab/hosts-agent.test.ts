import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FleetDesk } from "./fleet-desk.ts";
import type { Front } from "./front.ts";
import type { ManagedHost } from "./managed-host.ts";
import { type Lab, openLab } from "./open-lab.ts";

/** Real agents on real hosts, behind the real nginx. Beats come every second, so that three missed ones are soon missed. */
let lab: Lab<"alpha" | "beta" | "gamma">;
let front: Front;
let desk: FleetDesk;
let alpha: ManagedHost;

beforeAll(async () => {
  lab = await openLab(["alpha", "beta", "gamma"], {
    SERVICE_AGENT_BEAT_SECONDS: "1",
    SERVICE_AGENT_WINDOW_SECONDS: "2",
    SERVICE_API_RATE: "500,1000",
    SERVICE_SIGNIN_RATE: "1000",
  });
  front = lab.front;
  desk = new FleetDesk(front);
  alpha = lab.hosts.alpha;
});
afterAll(() => lab?.close());

describe("the printed line", () => {
  test("downloads, checks, installs and enrols; the host is online, and says so itself", async () => {
    const said = await alpha.shell(await desk.line({ tags: ["web"] }));
    expect(said).toContain("gatehouse-agent: OK");
    const node = await desk.online(alpha);
    expect(node).toMatchObject({ name: "alpha", tags: ["web"], address: alpha.address, state: "online" });
    expect(said).toContain(node.id.slice(-8));
    const status = JSON.parse((await alpha.run("gatehouse-agent", "status", "--json")).stdout) as object;
    expect(JSON.stringify(status)).toContain(node.id);
  });
});
