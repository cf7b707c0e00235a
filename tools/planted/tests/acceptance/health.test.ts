import { route } from "@gatehouse/contract";
import { test } from "vitest";
test("a suite may know the contract", () => route);
