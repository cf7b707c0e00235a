import { pretendState } from "../../support/pretend-state.ts";
import { openApi, userPassword } from "../api.ts";
import { enter } from "../browser.ts";
import { bringHost } from "../connect-host.ts";
import { managedCeiling } from "../host-ceilings.ts";
import type { Stage } from "../stage.ts";
import { admin } from "../world.ts";
import { activateOfficial } from "./plan-draft.ts";

const ways = { tell: pretendState, ceiling: managedCeiling };

/** An operator composes a plan of two operations for the hosts of a tag: one is away, one may only be looked at. */
export async function planCompose({ world, page, hand, window, word, judge }: Stage): Promise<void> {
  const api = await openApi(world);
  const tag = `edge-${word}`;
  const near = await bringHost(world, api, { name: `near-${word}`, tags: [tag] }, ways);
  const far = await bringHost(world, api, { name: `far-${word}`, tags: [tag] }, ways);
  const looked = await bringHost(world, api, { name: `looked-${word}`, tags: [tag] }, { tell: pretendState });
  far.close();
  const author = { username: `nils-${word}`, password: userPassword };
  await api.newUser(author.username, "operator");
  window.expectComplaint(/status of 409.*\/api\/plans/);

  await enter(window, author);
  await page.goto("/plans");
  await hand.press(page.getByRole("link", { name: "New plan" }).first());
  await page.waitForURL("**/plans/new");
  const read = page.getByRole("button", { name: /^Read (the hosts|again)$/ });
  await hand.press(read);
  await page.getByText("Name a tag or a host: the plan is for somebody.").waitFor();
  await page.getByText("Say why: reviewers read it first.").waitFor();
  await judge("the composer, with what is missing");

  const hosts = page.getByLabel("Hosts", { exact: true });
  await hand.write(hosts, "tag nobody-has");
  await hand.press(page.getByRole("button", { name: "Add", exact: true }));
  await page.getByText("No host has the tag nobody-has.").waitFor();
  await hand.write(hosts, `tag ${tag}`);
  await hand.press(page.getByRole("button", { name: "Add", exact: true }));
  await page.getByRole("button", { name: `Take back tag ${tag}` }).waitFor();
  await page.getByText(`far-${word} is not connected`).waitFor();
  await page.getByText(/monitor only and accepts no change/).waitFor();

  const restart = page.getByRole("group", { name: "1. Restart a service" });
  await hand.write(restart.getByLabel("Service"), "haproxy.service");
  await restart.getByText(/does not name it/).waitFor();
  await hand.write(restart.getByLabel("Service"), "nginx.service");
  await page.getByText("Restarts nginx.service. A restart cannot be undone.").waitFor();
  await hand.press(page.getByRole("button", { name: "Write a file", exact: true }));
  const write = page.getByRole("group", { name: "1. Write a file" });
  await hand.write(write.getByLabel("Path"), "/etc/nginx/conf.d/quic.conf");
  await hand.write(write.getByLabel("Text"), "listen 8443 quic;\n");
  await page.getByText(/^Writes \/etc\/nginx\/conf\.d\/quic\.conf: 18 bytes/).waitFor();
  await hand.press(page.getByRole("button", { name: "Write a file", exact: true }));
  await hand.press(page.getByRole("button", { name: "Remove operation 2" }));
  await hand.write(page.getByLabel("Why"), "QUIC for the edge.");
  await judge("the composer, before the hosts are read");

  await hand.press(read);
  await page.getByText("plan.node_offline").waitFor();
  await judge("a plan for a host that is away, composed");
  await hand.press(page.getByRole("button", { name: "Leave it out", exact: true }));
  await hand.press(read);
  await page.getByRole("list", { name: `Before and after, file.write on near-${word}` }).waitFor();
  await page.getByText("listen 8443 quic;").last().waitFor();
  await judge("the composer, with the difference");
  await hand.write(page.getByLabel("Why"), "QUIC for the whole edge.");
  await page.getByText(/Reading again makes a plan that takes the place/).waitFor();
  if ((await page.getByRole("button", { name: "Submit for review" }).count()) > 0) {
    throw new Error("what was changed after the hosts were read can be submitted");
  }
  await hand.press(read);
  await hand.press(page.getByRole("button", { name: "Submit for review" }));
  await page.waitForURL("**/plans/plan_*");
  await page
    .getByRole("heading", {
      level: 1,
      name: `Write /etc/nginx/conf.d/quic.conf and restart nginx.service on near-${word}`,
    })
    .waitFor();
  await page.getByRole("status").filter({ hasText: "In review" }).waitFor();
  await page.getByText(`far-${word}`).first().waitFor();
  near.close();
  looked.close();
}

/** On the page of netguard: a firewall that would cut people off is refused with the packet, a better one goes into review. */
export async function planFirewall({ world, page, hand, window, word, judge }: Stage): Promise<void> {
  const api = await openApi(world);
  await activateOfficial(api);
  const tag = `fw-${word}`;
  const edge = await bringHost(world, api, { name: `fw-${word}`, tags: [tag] }, ways);
  const { port } = new URL(world.baseUrl);

  await enter(window, admin);
  await page.goto("/apps/acme-netguard");
  await hand.press(page.getByRole("link", { name: "New plan" }));
  await page.waitForURL("**/plans/new?plugin=acme-netguard");
  await hand.write(page.getByLabel("Hosts", { exact: true }), `tag ${tag}`);
  await hand.press(page.getByRole("button", { name: "Add", exact: true }));
  await hand.write(page.getByLabel("Networks of zone 1"), "192.0.2.7/24");
  const read = page.getByRole("button", { name: /^Read (the hosts|again)$/ });
  await hand.press(read);
  await page.getByText("192.0.2.7/24 is no network, such as 192.0.2.0/24.", { exact: true }).waitFor();
  await hand.write(page.getByLabel("Networks of zone 1"), "192.0.2.0/24");
  await hand.write(page.getByLabel("Zones of SSH"), "office");
  await page.getByText("SSH, tcp 22, from office (192.0.2.0/24).").waitFor();
  await judge("the form of a firewall");

  await hand.press(read);
  await page.getByText(/The lint refuses it/).waitFor();
  const paths = page.getByRole("table").filter({ hasText: "Control connection" });
  await paths
    .getByRole("row")
    .filter({ hasText: "SSH" })
    .filter({ hasText: "firewall.ssh_cut" })
    .filter({ hasText: "198.51.100.7" })
    .waitFor();
  if ((await page.getByRole("button", { name: "Submit for review" }).count()) > 0) {
    throw new Error("a firewall that cuts somebody off can be submitted");
  }
  await judge("a firewall that the lint refuses, composed");

  await hand.write(page.getByLabel("Networks of zone 1"), "198.51.100.0/24");
  await hand.press(page.getByText("Hosts that carry the Gatehouse server"));
  await hand.write(page.getByLabel("Ports of the server"), port);
  await hand.write(page.getByLabel("Tag of the hosts that carry the server"), tag);
  await hand.press(page.getByRole("button", { name: "Service", exact: true }));
  await hand.write(page.getByLabel("Name of service 2"), "quic");
  await hand.write(page.getByLabel("Ports of service 2"), "udp 443, 8443");
  await hand.press(read);
  const submit = page.getByRole("button", { name: "Submit for review" });
  await submit.waitFor();
  await paths.getByRole("row").filter({ hasText: "SSH" }).filter({ hasText: "1 of 1" }).waitFor();
  await page.getByText(/Accepts udp 443, 8443/).waitFor();
  await judge("a firewall that can be submitted");
  await hand.press(submit);
  await page.waitForURL("**/plans/plan_*");
  await page.getByRole("heading", { level: 1, name: "Firewall for 1 node" }).waitFor();
  await page.getByRole("status").filter({ hasText: "In review" }).waitFor();
  edge.close();
}
