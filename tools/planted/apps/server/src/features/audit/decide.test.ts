import { readFileSync } from "node:fs";
import { openFileStore } from "@gatehouse/store";
import { test } from "vitest";
import { decide } from "./decide.ts";
test("a test may open the real store", () => [readFileSync, openFileStore, decide]);
