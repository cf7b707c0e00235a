import { expect, test } from "vitest";
import { mapHref, readMapAddress } from "./map-address.ts";

test("filter, view and what is chosen stand in the address, and are read as they were written", () => {
  const view = { latitude: 50.11, longitude: -8.68, zoom: 4.5 };
  const href = mapHref({ filter: { state: "offline", tag: "edge" }, view, node: "node_1", isPlaceless: true });
  expect(href).toBe("/map?state=offline&tag=edge&view=50.110,-8.680,4.50&node=node_1&placeless=true");
  const search = Object.fromEntries(new URLSearchParams(href.slice(5)));
  expect(readMapAddress(search)).toEqual({
    filter: { state: "offline", tag: "edge" },
    view,
    node: "node_1",
    isPlaceless: true,
  });
  expect(mapHref({})).toBe("/map");
});

test.each(["", "50", "50,8", "91,8,4", "50,8,40", "a,b,c", "50,8,4,1"])("%j is no view", (view) => {
  expect(readMapAddress({ view }).view).toBeUndefined();
});
