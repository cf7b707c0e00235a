import { manualClock } from "@gatehouse/base";
import { expect, test } from "vitest";
import * as z from "zod";
import { until } from "../../../tests/support/until.ts";
import { route } from "../src/platform/route/index.ts";
import { startServer } from "./start-server.ts";

test("a request of 1000 ms is not slow by default, and one of 1001 ms is (contract 8)", async () => {
  const clock = manualClock();
  const row = route(
    {
      method: "GET",
      path: "/api/takes/:ms",
      summary: "",
      access: { kind: "public", because: "test" },
      params: z.object({ ms: z.coerce.number() }),
      responses: { 200: z.string() },
    },
    ({ params }) => {
      clock.advance(params.ms);
      return Promise.resolve("done");
    },
  );
  const server = await startServer({ parts: { clock, moreRoutes: [row] }, config: { accessLog: true } });
  for (const ms of [1_000, 1_001]) expect((await server.get(`/api/takes/${ms}`)).status).toBe(200);
  const told = () => server.logLines.filter((line) => line.includes("/api/takes/"));
  await until("both requests are logged", () => told().length === 2);
  const words = told().map((line) => /(info|warn) +(.*?) method=.* (ms=\S+)/.exec(line)?.slice(1).join(", "));
  expect(words).toEqual(["info, request, ms=1000", "warn, SLOW request, ms=1001"]);
});
