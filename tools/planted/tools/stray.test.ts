import { test } from "vitest";
test("tools may use everything", () => {});
