import type { Operation } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { nameOperations } from "./wish-operations.ts";

const restart = (unit: string): Operation => ({ kind: "service.restart", unit });

test("a plan without a title is called after what it does", () => {
  expect(nameOperations([restart("nginx.service")])).toEqual({
    title: "Restart nginx.service",
    summary: "Restart nginx.service.",
  });
  expect(nameOperations([restart("nginx.service"), restart("ssh.service")])).toEqual({
    title: "Restart nginx.service, restart ssh.service",
    summary: "Restart nginx.service. Restart ssh.service.",
  });
});

test("a title and a summary are never longer than a plan takes", () => {
  const many = Array.from({ length: 64 }, (_, index) => restart(`number-${index}-${"x".repeat(80)}.service`));
  const { title, summary } = nameOperations(many);
  expect(title).toMatch(/^Restart number-0-x+\.service and 63 more$/);
  expect(title.length).toBeLessThanOrEqual(120);
  expect(summary).toHaveLength(500);
  expect(nameOperations([restart(`${"x".repeat(120)}.service`)]).title).toHaveLength(120);
});
