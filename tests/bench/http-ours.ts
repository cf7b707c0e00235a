import { newId } from "@gatehouse/base";
import { defineKind, recordKinds } from "@gatehouse/contract/records";
import { kindsOf, openFileStore, openSecrets } from "@gatehouse/store";
import { memoryBlobs } from "@gatehouse/store/blobs";
import { memoryTelemetry } from "@gatehouse/store/telemetry";
import { create } from "@gatehouse/store/decide";
import * as z from "zod";
import { compose } from "../../apps/server/src/compose.ts";
import { loadConfig } from "../../apps/server/src/config.ts";
import { openLog } from "../../apps/server/src/platform/log/index.ts";
import { route } from "../../apps/server/src/platform/route/index.ts";
import { inventedEntry } from "../support/invented-entry.ts";
import { records } from "./http-records.ts";

/** The whole server on a disk of its own, with three rows more: a list that lies ready, for all and signed in, and a change. */
const config = loadConfig({
  SERVICE_LISTEN: "127.0.0.1:0",
  SERVICE_API_RATE: "100000,100000",
  SERVICE_ADMIN_USERNAME: "admin",
  SERVICE_ADMIN_PASSWORD: process.env["BENCH_PASSWORD"],
});
/** What the change keeps: closed, as the kinds of the product are. */
const changed = z.strictObject({ name: z.string().max(64), note: z.string().max(512) });
const benchKind = defineKind({
  name: "bench",
  says: "What a change of the bench keeps.",
  schema: changed,
  kept: "for ever",
});
const store = await openFileStore({
  directory: process.env["BENCH_DIRECTORY"] ?? "",
  kinds: kindsOf([...recordKinds, benchKind]),
});
const list = { items: records, nextCursor: null };
const anybody = { kind: "public", because: "a list for the bench, which only this process serves" } as const;

const openList = route(
  {
    method: "GET",
    path: "/api/bench/records",
    summary: "Twenty records.",
    access: anybody,
    responses: { 200: z.looseObject({}) },
  },
  () => list,
);
const ownList = route(
  {
    method: "GET",
    path: "/api/bench/own-records",
    summary: "Twenty records, for who is signed in.",
    access: { kind: "scope", scope: "audit:read", nodes: "every" },
    responses: { 200: z.looseObject({}) },
  },
  () => list,
);
const change = route(
  {
    method: "POST",
    path: "/api/bench/changes",
    summary: "A record that is kept, and who kept it.",
    access: { kind: "scope", scope: "node:admin", nodes: "every" },
    body: changed,
    responses: { 200: z.strictObject({ id: z.string(), version: z.int() }) },
  },
  async ({ principal, body, request }) => {
    const id = newId("bch", request.now);
    const key = benchKind.key(id);
    const { version } = await store.commit(
      inventedEntry({
        at: request.now,
        actor: principal.id,
        action: "bench.changed",
        subject: key.text,
        requestId: request.requestId,
        address: request.clientAddress,
      }),
      [create(key, body)],
    );
    return { id, version };
  },
);
const running = await compose({
  config,
  log: openLog({ format: "text" }),
  onFatal: () => process.exit(1),
  maxConnections: 1_000,
  parts: {
    kept: {
      store,
      secrets: openSecrets(store.key),
      telemetry: memoryTelemetry(),
      blobs: memoryBlobs(),
      heads: store.heads,
    },
    moreRoutes: [openList, ownList, change],
  },
});
process.stdout.write(`port ${running.port}\n`);
process.on("SIGTERM", () => process.exit(0));
