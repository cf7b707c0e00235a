import { test } from "vitest";
import { clock } from "./clock.ts";
test("a test may use what production may not", clock);
