import { join } from "node:path";
import { approvalFrame, sectionBits } from "@gatehouse/approval";
import { parseTrust } from "@gatehouse/approval/verify";
import { planWords } from "@gatehouse/channel";
import { faults } from "@gatehouse/contract";
import type { PlanSignature } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { signStatement } from "../../apps/cli/src/approvals/sign-statement.ts";
import { commands } from "../../apps/cli/src/command-table.ts";
import { run } from "../../apps/cli/src/run.ts";
import { keepSession } from "../../apps/cli/src/server/session-file.ts";
import { type Approver, believing, newApprover, newHome } from "../../apps/cli/test/approver.ts";
import { answering } from "../../apps/cli/test/no-terminal.ts";
import { startPlanServer } from "../../apps/cli/test/plan-server.ts";
import { hosts, samplePlan } from "../../apps/cli/test/sample-plan.ts";
import { endedTask } from "../../apps/cli/test/sample-task.ts";
import { sendJson } from "../../apps/cli/test/small-server.ts";
import { readText } from "../repository.ts";
import { commandsOfPage } from "./printed-commands.ts";

/** The page for approvers: what it tells people to type is done here, with a key of ssh-keygen. */
const page = readText("docs/operate/approve.md");
const signedHost = hosts.findIndex(({ name }) => name === "web-1");

/** What another approver has signed, under the id that the page names. */
async function signedByBea(bea: Approver, trust: string, planDigest: string): Promise<PlanSignature> {
  const approvalId = "9f2c41d0".padEnd(32, "0");
  const now = Date.now();
  const statement = approvalFrame({
    approvalId,
    planDigest,
    sections: sectionBits(hosts.length, [signedHost]),
    issuedAt: now,
    notBefore: now,
    notAfter: now + 3_600_000,
    rollbackWindow: 120,
    confirmation: 1,
    settle: 0,
    trust: [parseTrust(Uint8Array.fromBase64(trust)).digest],
    keyId: bea.keyId,
  });
  const ssh = await signStatement(statement, bea, { environment: newHome().environment });
  const at = new Date(now).toISOString();
  return {
    id: approvalId,
    kind: "signed",
    user: "usr_bea",
    by: "bea",
    at,
    keyId: bea.keyId,
    fingerprint: null,
    notBefore: at,
    notAfter: at,
    rollbackWindow: 120,
    sections: 1,
    statement: statement.toBase64(),
    ssh: ssh.toBase64(),
  };
}

test("every line of the page is taken as it stands there, from the key to the end of the plan", async () => {
  const { home, environment } = newHome();
  const [ada, bea] = [newApprover(home, "gatehouse"), newApprover(home, "bea")];
  const believed = believing([ada, bea]);
  const trust = hosts.map((_, index) => (index === signedHost ? believed : { accepts: "server", trust: null }));
  const shown = samplePlan({ trust });
  const at = `/api/plans/${shown.plan.id}`;
  const signature = await signedByBea(bea, believed.trust, shown.plan.digest);
  const settings = { plans: { selfApproval: true, stopped: null } };
  // Started, it is over at the next look.
  let state: "in_review" | "done" = "in_review";
  const { server } = await startPlanServer(shown, {
    "PATCH /api/settings": (response) => sendJson(response, 200, settings),
    [`GET ${at}`]: (response) => sendJson(response.setHeader("ETag", '"3"'), 200, { ...shown.plan, state }),
    [`GET ${at}/approvals`]: (response) => sendJson(response, 200, { items: [signature], nextCursor: null }),
    [`POST ${at}/approvals`]: (response) => sendJson(response, 200, { ...shown.plan, state: "approved", awaiting: 0 }),
    [`POST ${at}/apply`]: (response) => {
      state = "done";
      sendJson(response, 200, { ...shown.plan, state: "running" });
    },
    [`GET ${at}/tasks`]: (response) => {
      const items = hosts.map((_, index) => endedTask(index, "applied"));
      sendJson(response, 200, { items, nextCursor: null });
    },
    "POST /api/plans": (response) => {
      state = "in_review";
      sendJson(response.setHeader("ETag", '"3"'), 201, shown.plan);
    },
  });
  const cookie = { name: "gatehouse", value: "v".repeat(43) };
  const session = { server: server.url.origin, cookie, id: "ses_1", username: "ada" };
  await keepSession({ environment }, { ...session, expiresAt: "2999-01-01T00:00:00.000Z" });
  const lines = commandsOfPage("approve.md", page.replaceAll(/^[^`\n]*`[^`\n]+`.*$/gm, ""));
  expect(lines.length).toBeGreaterThan(8);
  for (const { text } of lines) {
    const words = text
      .split(" ")
      .slice(1)
      .map((word) => word.replace("~/.ssh/", `${home}/`));
    const said: string[] = [];
    const screen = { write: (part: string) => void said.push(part) };
    const streams = { out: screen, err: screen, colour: false };
    const terminal = answering(planWords(shown.plan.digest).slice(-2).join(" "));
    expect(await run({ commands, environment, streams, terminal }, words), `${text}: ${said.join("")}`).toBe(0);
  }
  expect(server.received.filter(({ path }) => path === `${at}/approvals`).length).toBeGreaterThan(4);
  expect(join(home, "gatehouse")).toBe(ada.file);
});

test("it has every option of plan approve, and names only codes that there are", () => {
  const flags = commands.find(({ name }) => name === "plan approve")?.flags ?? {};
  const named = [...page.matchAll(/^\| `--([a-z-]+)/gm)].map(([, name = ""]) => name);
  expect(named.toSorted()).toEqual(
    Object.keys(flags)
      .filter((name) => name !== "password-stdin")
      .toSorted(),
  );
  const codes = [...page.matchAll(/`((?:cli|plan|key|statement|apply)\.[a-z_]+)`/g)].map(([, code = ""]) => code);
  expect(codes.length).toBeGreaterThan(8);
  for (const code of codes) expect(faults).toHaveProperty([code]);
});
