import { expect, test } from "vitest";
import config from "../vitest.config.ts";
import { gateProjects } from "./check-projects.ts";

test("every project of the tests is run by exactly one suite of the gate", () => {
  const projects = (config.test?.projects ?? []) as readonly { readonly test: { readonly name: string } }[];
  const names = projects.map((project) => project.test.name);
  expect(names.length).toBeGreaterThan(0);
  expect(Object.values(gateProjects).flat().toSorted()).toEqual(names.toSorted());
});
