import { componentKeys } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { components, hasComponent } from "./components.ts";

test("contract 2.4: only keys of the fixed list resolve, and each of them has its place", () => {
  expect(Object.keys(components).sort()).toEqual(Object.keys(componentKeys).sort());
});

test("what the server calls built is here, and nothing else: it calls visible only what can be seen", () => {
  const built = Object.entries(componentKeys).filter(([, { isBuilt }]) => isBuilt);
  expect(Object.keys(components).filter(hasComponent).sort()).toEqual(built.map(([key]) => key).sort());
});

test("contract 3.2: an unknown component key is ignored, also one that names what every object has", () => {
  for (const key of ["acme.page", "", "constructor", "__proto__", "toString", "netguard.firewall "]) {
    expect(hasComponent(key), key).toBe(false);
  }
  expect(hasComponent("netguard.firewall")).toBe(true);
});
