import { createHash } from "node:crypto";
import type { Locator } from "playwright-core";
import { keepsKey, pretendState } from "../../support/pretend-state.ts";
import { openApi } from "../api.ts";
import { enter } from "../browser.ts";
import { bringHost } from "../connect-host.ts";
import { managedCeiling } from "../host-ceilings.ts";
import type { Stage } from "../stage.ts";
import { admin } from "../world.ts";
import { activateOfficial } from "./plan-draft.ts";

const ceiling = { ...managedCeiling, allow: [...managedCeiling.allow, "network.wireguard:wg0"] };

/** On the page of wireguard: three hosts become a network by the keys that they made, and a fourth lets no interface be named. */
export async function planNetwork({ world, page, hand, window, word, judge: judgeThere }: Stage): Promise<void> {
  // From its beginning: a field that is half below the bar of the page is no small field.
  const judge = async (what: string): Promise<void> => {
    await page.evaluate("window.scrollTo(0, 0)");
    await judgeThere(what);
  };
  const api = await openApi(world);
  await activateOfficial(api);
  const tag = `net-${word}`;
  const names = ["a", "b", "c"].map((letter) => `net-${word}-${letter}`);
  const [a = "", b = "", c = ""] = names;
  const hosts = [
    await bringHost(world, api, { name: a, tags: [tag] }, { ...waysOf(a), addresses: ["192.0.2.21", "10.77.0.9"] }),
    await bringHost(world, api, { name: b, tags: [tag] }, { ...waysOf(b), addresses: ["10.0.0.5", "192.0.2.22"] }),
    await bringHost(world, api, { name: c, tags: [tag] }, { ...waysOf(c), addresses: ["192.168.7.3"] }),
    await bringHost(
      world,
      api,
      { name: `shut-${word}`, tags: [tag] },
      { tell: pretendState, ceiling: managedCeiling, addresses: ["192.0.2.24"] },
    ),
  ];

  await enter(window, admin);
  await page.goto("/apps/acme-wireguard");
  await hand.press(page.getByRole("link", { name: "New plan" }));
  await page.waitForURL("**/plans/new?plugin=acme-wireguard");
  await page.getByText("Choose hosts above: each has its place here.").waitFor();
  await hand.write(page.getByLabel("Hosts", { exact: true }), `tag ${tag}`);
  await hand.press(page.getByRole("button", { name: "Add", exact: true }));
  const read = page.getByRole("button", { name: /^Read (the hosts|again)$/ });
  await hand.press(read);
  await page.getByText("A name is 1 to 32 of a-z, 0-9 and -, and begins with a letter.", { exact: true }).waitFor();
  await page.getByText(`The ceiling of shut-${word} does not name it.`).waitFor();
  await judge("the form of a network, with what is missing");
  await hand.press(page.getByRole("button", { name: "Leave it out", exact: true }));

  await hand.write(page.getByLabel("Name", { exact: true }), "office");
  const numberOf = (name: string) => page.getByLabel(`Number of ${name}`, { exact: true });
  const addressOf = (name: string) => page.getByLabel(`Address at which ${name} is reached`, { exact: true });
  // The first has an address of the network already, and keeps its number.
  await expectValue(numberOf(a), "9");
  await expectValue(numberOf(b), "1");
  await expectValue(addressOf(a), "192.0.2.21");
  await expectValue(addressOf(b), "192.0.2.22");
  await hand.write(addressOf(c), "c.example.net");
  await page
    .getByText("c.example.net is no address, such as 192.0.2.7: names are not looked up.", { exact: true })
    .waitFor();
  await hand.write(addressOf(c), "");
  await page.getByText(`${c}: 10.77.0.2, behind a router, calls the others.`, { exact: true }).waitFor();
  await hand.select(page.getByLabel("Shape"), "hub");
  await page.getByText(`office: all hosts with ${a}, over wg0, udp 51820.`, { exact: true }).waitFor();
  await hand.select(page.getByLabel("Shape"), "mesh");
  await page.getByText("office: every host with every other, over wg0, udp 51820.", { exact: true }).waitFor();
  await judge("the form of a network");

  await hand.press(read);
  const submit = page.getByRole("button", { name: "Submit for review" });
  await submit.waitFor();
  for (const name of names) {
    const difference = page.getByRole("list", { name: `Before and after, network.wireguard on ${name}` });
    await difference.getByText(`key ${keyOf(name)}`).waitFor();
    for (const other of names.filter((one) => one !== name)) {
      await difference.getByText(`peer ${keyOf(other)} (${other})`).waitFor();
    }
  }
  await judge("a network that can be submitted");
  await hand.press(submit);
  await page.waitForURL("**/plans/plan_*");
  await page.getByRole("heading", { level: 1, name: /^WireGuard network office/ }).waitFor();
  await page.getByRole("status").filter({ hasText: "In review" }).waitFor();
  await page.getByText(keyOf(b)).first().waitFor();
  await judge("a network in review");
  for (const host of hosts) host.close();
}

function waysOf(name: string) {
  return { tell: keepsKey(keyOf(name), pretendState), ceiling };
}

/** The public half of a key that the host of this name would have made: 32 bytes that nobody has the other half of. */
function keyOf(name: string): string {
  return createHash("sha256").update(`interface of ${name}`).digest("base64");
}

async function expectValue(field: Locator, expected: string): Promise<void> {
  const found = await field.inputValue();
  if (found !== expected) throw new Error(`expected ${expected} in ${String(field)}, found ${found}`);
}
