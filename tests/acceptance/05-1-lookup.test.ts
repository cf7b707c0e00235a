import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NodePlace, PlaceLookup } from "@gatehouse/contract/routes";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeAuthority, startTlsPeer } from "../support/tls-peer.ts";
import { enrolFakeHost } from "../support/fake-host.ts";
import { PretendHost } from "../support/pretend-host.ts";
import { until } from "../support/until.ts";
import { ask } from "./ask.ts";
import { freshDirectory } from "./driver/directories.ts";
import { imageVariable } from "./driver/container-driver.ts";
import { type Operator, PluginYard } from "./plugin-yard.ts";
import { isExternal } from "./server-under-test.ts";

/** Contract 5.1: the lookup of places. The service of these tests is on this machine, which a container does not reach. */
const isElsewhere = isExternal || process.env[imageVariable] !== undefined;

interface Places {
  readonly items: readonly NodePlace[];
  readonly lookup: PlaceLookup;
}

async function read(operator: Operator): Promise<Places> {
  const { status, json, text } = await operator.get("/api/map/places");
  if (status !== 200) throw new Error(`the places were answered ${status}: ${text}`);
  return json as unknown as Places;
}

/** A host that is connected and says that it has this address. */
async function connect(operator: Operator, address: string): Promise<string> {
  const made = await operator.post("/api/nodes/enrolments", {});
  const [{ code } = { code: "" }] = made.json["items"] as { code: string }[];
  const host = new PretendHost();
  const enrolled = await enrolFakeHost(operator.server.baseUrl, code, { host });
  const connection = await enrolled.hello();
  onTestFinished(() => connection.close());
  connection.send({ ...host.facts(), addresses: [address] });
  await connection.beat();
  const path = `/api/nodes/${host.nodeId}`;
  await until("the host has described itself", async () => (await operator.get(path)).json["facts"] !== null);
  return host.nodeId;
}

/** A lookup service under an authority of its own, and the settings with which a server asks it. */
async function startService(answer: object) {
  const authority = makeAuthority();
  const service = await startTlsPeer(authority.issue(["127.0.0.1"]), (_, response) => {
    response.end(JSON.stringify(answer));
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const file = join(freshDirectory(), "ca.pem");
  writeFileSync(file, authority.ca);
  const settings = {
    SERVICE_GEOIP_LOOKUP_URL: `https://127.0.0.1:${service.port}/places/{ip}.json`,
    SERVICE_EGRESS_CA_FILE: file,
  };
  return { service, settings };
}

describe.skipIf(isElsewhere)("`SERVICE_GEOIP_LOOKUP_URL`", () => {
  test("is a public service that needs no token unless something else is set, and nobody is asked for an address inside", async () => {
    const operator = await new PluginYard().start();
    const id = await connect(operator, "10.1.2.3");
    expect(await read(operator)).toMatchObject({
      items: [{ node: id, place: null, why: "private" }],
      lookup: { service: "ipwho.is", waiting: 0, trouble: null, answeredAt: null },
    });
  });

  test("`off` disables external lookups: a host with a public address is not looked up, and the map says why", async () => {
    const operator = await new PluginYard().start({ SERVICE_GEOIP_LOOKUP_URL: "off" });
    const id = await connect(operator, "8.8.8.8");
    expect(await read(operator)).toMatchObject({
      items: [{ node: id, place: null, why: "off" }],
      lookup: { service: null, waiting: 0 },
    });
  });

  test.each([
    [
      "latitude and longitude",
      { success: true, latitude: 52.52, longitude: 13.405, city: "Berlin", country: "Germany" },
    ],
    ["lat and lon", { lat: "52.52", lon: "13.405", city: "Berlin", country: "Germany" }],
  ])(
    "a self-hosted provider is asked in the place of the public one, and understood when it says %s",
    async (_, answer) => {
      const { service, settings } = await startService(answer);
      const operator = await new PluginYard().start(settings);
      const id = await connect(operator, "2606:4700:0::1111");
      const place = { latitude: 52.52, longitude: 13.405, label: "Berlin, Germany", from: "lookup" };
      await until("the place is known", async () => (await read(operator)).items[0]?.place !== null);
      const { items, lookup } = await read(operator);
      expect(items).toEqual([{ node: id, place, why: null }]);
      expect(lookup).toMatchObject({ service: `127.0.0.1:${service.port}`, waiting: 0, trouble: null });
      expect(service.seen).toMatchObject([{ method: "GET", url: "/places/2606%3A4700%3A%3A1111.json", body: "" }]);
    },
  );

  test("manual coordinates never need a lookup: they are shown with lookups off, and nobody is asked where lookups are on", async () => {
    const { service, settings } = await startService({ lat: 1, lon: 2 });
    const place = { latitude: -33.45, longitude: -70.67, label: "Santiago" };
    for (const chosen of [{ SERVICE_GEOIP_LOOKUP_URL: "off" }, settings]) {
      const operator = await new PluginYard().start(chosen);
      const id = await connect(operator, "8.8.8.8");
      const { headers } = await operator.get(`/api/nodes/${id}`);
      const changed = await ask(operator.server.baseUrl, {
        method: "PATCH",
        path: `/api/nodes/${id}`,
        headers: { ...operator.headers, "Content-Type": "application/json", "If-Match": String(headers["etag"]) },
        body: JSON.stringify({ place }),
      });
      expect(changed.status, changed.text).toBe(200);
      const { items, lookup } = await read(operator);
      expect(items).toEqual([{ node: id, place: { ...place, from: "hand" }, why: null }]);
      expect(lookup).toMatchObject({ waiting: 0, answeredAt: null });
    }
    expect(service.connections()).toBe(0);
  });
});
