import { utimesSync } from "node:fs";
import { createHash } from "node:crypto";
import { channelLimits, parseEnrolCode } from "@gatehouse/channel";
import { getChannelKey } from "../../../apps/agent/src/local/channel-key.ts";
import { getHostIdentity } from "../../../apps/agent/src/local/host-key.ts";
import { putPinnedServer } from "../../../apps/agent/src/local/server-file.ts";
import { startAgentAt } from "../../../apps/agent/test/running-agent.ts";
import { enrolFakeHost, type FakeHost } from "../../support/fake-host.ts";
import { PretendHost } from "../../support/pretend-host.ts";

/**
 * The door to an agent that runs against whatever address it is given, enrolled with a server whose key only the tests have: what
 * stands at the address cannot have it.
 */
export { honestChallenge } from "../../../apps/agent/test/fake-control-server.ts";
export { firstMs, startAgentAt } from "../../../apps/agent/test/running-agent.ts";
/** What a host holds its part of a plan to, before it looks at any approval. */
export { judgePlan } from "../../../apps/agent/src/tasks/judge-plan.ts";

const dayMs = 24 * 60 * 60_000;

/** A real agent, enrolled with a real server by a code of it, whose channel key is due to be changed. The thief has the same keys. */
export async function startOldAgentAt(url: string, code: string) {
  const user = process.getuid?.() ?? 0;
  let thief: FakeHost | undefined;
  const agent = await startAgentAt(url, async (paths, { clock }) => {
    const keys = { host: getHostIdentity({ paths, owner: user }).key, channel: getChannelKey({ paths, user }) };
    thief = await enrolFakeHost(url, code, { host: new PretendHost("old", keys) });
    const { server } = parseEnrolCode((bytes) => createHash("sha256").update(bytes).digest(), code);
    await putPinnedServer({ paths, owner: user }, { url, key: server });
    // Its clock stands a second behind the enrolment, and the file is as old as a key may become.
    clock.advance(Date.now() + 1_000 - clock.now());
    const madeAt = (clock.now() - channelLimits.channelKeyDays * dayMs) / 1_000;
    utimesSync(paths.channelKey, madeAt, madeAt);
  });
  return { ...agent, thief: thief as FakeHost };
}
