import { test } from "vitest";
import { openFileStore } from "./index.ts";
export const storeCases = () => test("one suite for all adapters", openFileStore);
