import { expect } from "vitest";
import type { TelemetryCase } from "./prepare-cases.ts";
import { type KnownPlace, telemetryLimits } from "./telemetry.ts";

const begin = Date.UTC(2026, 0, 1);
const service = "geo.example.test";
const berlin = { latitude: 52.52, longitude: 13.405, label: "Berlin" };

function placeOf(address: string, more: Partial<KnownPlace> = {}): KnownPlace {
  return { address, service, at: begin, place: berlin, ...more };
}

/** What every adapter promises about places that were looked up. */
export function placeCases(withTelemetry: TelemetryCase): void {
  withTelemetry("a place that is kept is found again, also after a restart", async (telemetry, _, { reopen }) => {
    const known = [
      placeOf("8.8.8.8"),
      placeOf("2001:4860::8888", { place: { latitude: -0.5, longitude: -179.9999, label: null } }),
      placeOf("1.1.1.1", { place: undefined }),
    ];
    expect(await Promise.all(known.map((one) => telemetry.keepPlace(one)))).toEqual([true, true, true]);
    const asked = ["8.8.8.8", "1.1.1.1", "9.9.9.9", "2001:4860::8888"];
    const found = await telemetry.placesOf(service, asked);
    expect([...found.keys()].toSorted()).toEqual(["1.1.1.1", "2001:4860::8888", "8.8.8.8"]);
    for (const one of known) expect(found.get(one.address)).toEqual(one);
    await telemetry.close();
    expect(await reopen().placesOf(service, asked)).toEqual(found);
  });

  withTelemetry("nobody is told what another service said, and the newest word stands", async (telemetry) => {
    await telemetry.keepPlace(placeOf("8.8.8.8", { at: begin + 1 }));
    await telemetry.keepPlace(placeOf("8.8.8.8", { place: undefined }));
    expect((await telemetry.placesOf(service, ["8.8.8.8"])).get("8.8.8.8")?.place).toEqual(berlin);
    expect(await telemetry.placesOf("other.example.test", ["8.8.8.8"])).toEqual(new Map());
    await telemetry.keepPlace(placeOf("8.8.8.8", { at: begin + 2, service: "other.example.test", place: undefined }));
    expect(await telemetry.placesOf(service, ["8.8.8.8"])).toEqual(new Map());
    expect((await telemetry.placesOf("other.example.test", ["8.8.8.8"])).size).toBe(1);
    expect(await telemetry.placesOf(service, [])).toEqual(new Map());
  });

  withTelemetry("what has no form or no room is not kept, and that is said", async (telemetry, around) => {
    const long = "x".repeat(telemetryLimits.nameChars + 1);
    const formless = [
      placeOf(""),
      placeOf(long),
      placeOf("8.8.8.8", { service: long }),
      placeOf("8.8.8.8", { at: Number.NaN }),
      placeOf("8.8.8.8", { place: { ...berlin, latitude: Number.POSITIVE_INFINITY } }),
    ];
    for (const one of formless) expect(await telemetry.keepPlace(one)).toBe(false);
    around.isNearlyFull = true;
    expect(await telemetry.keepPlace(placeOf("8.8.8.8"))).toBe(false);
    around.isNearlyFull = false;
    await telemetry.close();
    expect(await telemetry.keepPlace(placeOf("8.8.8.8"))).toBe(false);
    expect(await telemetry.placesOf(service, ["8.8.8.8"])).toEqual(new Map());
  });

  withTelemetry(
    "what is too old is forgotten, and of too many the oldest",
    async (telemetry, { clock, tick }) => {
      const now = clock.now();
      const addresses = Array.from({ length: 20 }, (_, n) => `9.9.9.${n}`);
      for (const [n, address] of addresses.entries()) await telemetry.keepPlace(placeOf(address, { at: now + n }));
      const left = async () => {
        tick();
        return [...(await telemetry.placesOf(service, addresses)).keys()].toSorted();
      };
      await expect.poll(left).toEqual(addresses.slice(10).toSorted());
      clock.advance(telemetryLimits.keepPlacesMs + 15);
      await expect.poll(left).toEqual(addresses.slice(15).toSorted());
    },
    { limits: { places: 10, prunedRows: 4 } },
  );
}
