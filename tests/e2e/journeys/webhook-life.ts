import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freshDirectory } from "../../acceptance/driver/directories.ts";
import { makeAuthority, startTlsPeer, type TlsPeer } from "../../support/tls-peer.ts";
import { until } from "../../support/until.ts";
import { enter } from "../browser.ts";
import type { Stage } from "../stage.ts";
import { admin, World } from "../world.ts";

const address = "127.0.0.1";

/** A server that believes the authority of a receiver beside it. */
export async function openReceiver() {
  const authority = makeAuthority();
  const peer = await startTlsPeer(authority.issue([address]), (_, response) => void response.writeHead(204).end());
  const authorities = join(freshDirectory(), "authorities.pem");
  writeFileSync(authorities, authority.ca);
  const world = new World({ SERVICE_EGRESS_CA_FILE: authorities });
  return {
    peer,
    world,
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      await peer[Symbol.asyncDispose]();
    },
  };
}

/** Adds a webhook after the password was asked again, sees its secret once, sends a test that verifies with it, and removes it. */
export function webhookLife(peer: TlsPeer) {
  return async function webhookLifeAt({ world, page, hand, window, word, judge }: Stage): Promise<void> {
    const name = `chat ${word}`;
    await enter(window, admin);
    world.jump();
    // The browser tells of the refusal that asks for the password.
    window.expectComplaint(/status of 403.*\/api\/webhooks/);
    await page.goto("/");
    await hand.goTo("Webhooks");
    await hand.press(page.getByRole("button", { name: "Add a webhook…" }).first());
    const dialog = page.getByRole("dialog", { name: "Add a webhook" });
    await hand.press(dialog.getByRole("button", { name: "Add the webhook" }));
    await dialog.getByText("Give it a name that says what receives the notices.").waitFor();
    await hand.write(dialog.getByLabel("Name", { exact: true }), name);
    await hand.write(dialog.getByLabel("Address", { exact: true }), `https://${address}:${peer.port}/services/${word}`);
    await hand.choose(dialog.getByLabel("A plan waits for approval"));
    await judge("the dialog that adds a webhook");
    await hand.press(dialog.getByRole("button", { name: "Add the webhook" }));

    const proof = page.getByRole("dialog", { name: "Confirm who you are" });
    await hand.write(proof.getByLabel("Password", { exact: true }), admin.password);
    await hand.press(proof.getByRole("button", { name: "Confirm" }));

    const added = page.getByRole("dialog", { name: `${name} is added` });
    const shown = await added
      .getByText(/whsec_/)
      .first()
      .textContent();
    const secret = /whsec_[A-Za-z0-9_-]{43}/.exec(shown ?? "")?.[0] ?? "";
    await judge("the secret of a webhook");
    await hand.press(added.getByRole("button", { name: "I have kept it" }));
    await added.waitFor({ state: "detached" });
    const row = page.getByRole("row").filter({ hasText: name });
    await row.waitFor();
    await judge("the list of webhooks");

    const before = peer.seen.length;
    await hand.openRow(page.getByRole("table", { name: "Webhooks" }), name);
    const sheet = page.getByRole("dialog", { name });
    await hand.press(sheet.getByRole("button", { name: "Send a test" }));
    await sheet
      .getByText(/answered 204 in/)
      .first()
      .waitFor();
    await until("the receiver has heard of it", () => peer.seen.length > before);
    const request = peer.seen.at(-1);
    const [, seconds = "", mac = ""] = /^t=(\d+),v1=(.+)$/.exec(String(request?.headers["gatehouse-signature"])) ?? [];
    const expected = createHmac("sha256", secret).update(`${seconds}.${request?.body}`).digest("hex");
    if (mac !== expected) throw new Error("the notice is not signed with the secret that was shown");
    await judge("a webhook with its history");
    if ((await page.content()).includes(secret)) throw new Error("the page still holds the secret");
    if ((await page.content()).includes(`/services/${word}`)) throw new Error("the page shows the path of the address");

    await hand.press(sheet.getByRole("button", { name: `Remove ${name}…` }));
    const confirm = page.getByRole("dialog", { name: `Remove ${name}` });
    await hand.press(confirm.getByRole("button", { name: `Remove ${name}` }));
    await row.waitFor({ state: "detached" });
  };
}
