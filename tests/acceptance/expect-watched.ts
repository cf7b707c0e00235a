import { expect } from "vitest";
import type { Answer } from "./ask.ts";
import type { Fixture } from "./fixtures.ts";

type Shown = Readonly<Record<string, unknown>>;

/** What watched the hosts of a fixture, and what was found, is still there and says the same. */
export async function expectWatched(
  { watch, alert, drift, refuses }: Pick<Fixture, "watch" | "alert" | "drift" | "refuses">,
  read: (path: string) => Promise<Answer>,
): Promise<void> {
  const list = async (path: string) => (await read(path)).json["items"] as readonly Shown[];
  if (watch !== undefined) {
    expect(await list("/api/alert-rules")).toEqual(expect.arrayContaining(watch.rules.map(containing)));
    // A silence is forgotten with its time; until then it is as it was said.
    for (const silence of await list("/api/alert-silences")) expect(silence).toMatchObject(watch.silence);
    const said = await list("/api/audit?action=alert.silenced");
    expect(said).toMatchObject([{ detail: { silence: watch.silence["id"], reason: watch.silence["reason"] } }]);
    // Nothing is sent to one that is off.
    expect(await list("/api/webhooks")).toMatchObject([{ ...watch.webhook, waiting: 0, failing: null }]);
  }
  if (alert !== undefined) expect(await list("/api/alerts")).toMatchObject([alert]);
  if (drift !== undefined) {
    expect(await list(`/api/nodes/${drift.node}/drift`)).toMatchObject([drift.part]);
    expect((await read(`/api/nodes/${drift.node}`)).json).toMatchObject({ drift: { parts: 1 } });
  }
  if (refuses !== undefined) expect(await list("/api/audit/witnesses?state=refuses")).toMatchObject([refuses]);
}

function containing(shown: Shown): unknown {
  return expect.objectContaining(shown);
}
