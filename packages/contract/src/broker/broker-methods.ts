import * as z from "zod";
import type { Capability } from "../capabilities.ts";
import { type DrawnMetric, drawnMetrics } from "../metrics.ts";
import { nodeId } from "../node-id.ts";
import { nodeStates, nodeTag } from "../node-names.ts";
import { type ActionName, actionNames, type BrokerMethod } from "../plugin-names.ts";

/** Sizes of what goes through the broker. What is larger is refused with `broker.too_large`, not cut. */
export const brokerLimits = {
  keyCharacters: 128,
  /** Bytes of one stored value, as UTF-8. */
  valueBytes: 16 * 1024,
  /** Keys and bytes (keys and values together) of one plugin's store. */
  keys: 256,
  storeBytes: 256 * 1024,
  listKeys: 256,
  /** A fleet of ten thousand is read within the calls of one action. */
  listNodes: 250,
  metricMinutes: 1_440,
  metricPoints: 120,
  /** Every change of the store is an entry of the audit log, which nobody may fill: so many of them, and so many bytes. */
  writesPerHour: 1_000,
  writtenBytesPerHour: 4 * 1024 * 1024,
  logCharacters: 4_000,
  urlCharacters: 2_048,
  headers: 32,
  headerCharacters: 4_096,
  requestBodyBytes: 64 * 1024,
  responseBodyBytes: 256 * 1024,
  connectMs: 5_000,
  /** Below the deadline of an action, so that a plugin can still answer when a host does not. */
  fetchMs: 8_000,
  /** Fetches of one plugin that are under way together; more of them wait. */
  fetchesAtOnce: 8,
} as const;

const key = z
  .string()
  .max(brokerLimits.keyCharacters)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:/-]*$/,
    "must be 1 to 128 of A-Z, a-z, 0-9 and . _ : / -, beginning with a letter or digit",
  );

/** Code units bound the work of the schema; the broker counts the bytes. */
const storedValue = z.string().max(brokerLimits.valueBytes);

/** Lower case only, so that no header has two spellings; those that steer the connection are ours. */
const headerName = z
  .string()
  .max(64)
  .regex(/^[a-z0-9][a-z0-9-]*$/, "must be a header name in lower case")
  .refine((name) => !steering.test(name), "is a header that the broker sets itself");
const steering =
  /^(host|connection|cookie|content-length|transfer-encoding|te|trailer|upgrade|keep-alive|expect|via|forwarded|x-forwarded-.*|proxy-.*|sec-.*)$/;
const headerValue = z
  .string()
  .max(brokerLimits.headerCharacters)
  .regex(/^[\x20-\x7e]*$/, "must be printable ASCII on one line");
const headers = z
  .record(headerName, headerValue)
  .refine((all) => Object.keys(all).length <= brokerLimits.headers, `must be at most ${brokerLimits.headers} headers`);

const encoding = z.enum(["utf8", "base64"]);
const nothing = z.strictObject({});

const kvGet = {
  capability: "kv:read",
  during: ["describe", "health"],
  says: "Reads one stored value; null when there is none.",
  params: z.strictObject({ key }),
  result: z.strictObject({ value: storedValue.nullable() }),
} as const;

const kvList = {
  capability: "kv:read",
  during: ["describe", "health"],
  says: "Lists stored keys in the order of their UTF-16 code units, behind `after`.",
  params: z.strictObject({
    prefix: z
      .string()
      .max(brokerLimits.keyCharacters)
      .regex(/^(?:[A-Za-z0-9][A-Za-z0-9._:/-]*)?$/)
      .optional(),
    after: key.optional(),
    limit: z.int().min(1).max(brokerLimits.listKeys).optional(),
  }),
  result: z.strictObject({ keys: z.array(key).max(brokerLimits.listKeys), more: z.boolean() }),
} as const;

const kvPut = {
  capability: "kv:write",
  during: actionNames,
  says: "Stores a text under a key, in place of what was there.",
  params: z.strictObject({ key, value: storedValue }),
  result: nothing,
} as const;

const kvDelete = {
  capability: "kv:write",
  during: actionNames,
  says: "Removes a key; a key that is not there is no error. The answer says nothing about what was there.",
  params: z.strictObject({ key }),
  result: nothing,
} as const;

const logWrite = {
  capability: "log:write",
  during: actionNames,
  says: "Writes a line to the plugin's log.",
  params: z.strictObject({
    level: z.enum(["debug", "info", "warn", "error"]),
    message: z.string().min(1).max(brokerLimits.logCharacters),
  }),
  result: nothing,
} as const;

/** What a plugin sees of a node. Neither where it is reached nor what its root has set down: a plugin has no way to it, and needs none. */
const nodeSeen = z.strictObject({
  id: z.string(),
  name: z.string(),
  tags: z.array(z.string()),
  state: z.enum(nodeStates),
  facts: z
    .strictObject({
      agentVersion: z.string(),
      arch: z.string(),
      hostname: z.string(),
      kernel: z.string(),
      mode: z.string(),
      os: z.string(),
    })
    .nullable(),
});

const nodeList = {
  capability: "node:read",
  during: ["describe", "health"],
  says: "Lists nodes in the order of their ids, behind `after`; `facts` is null until the host has told them.",
  params: z.strictObject({
    tag: nodeTag.optional(),
    after: nodeId.optional(),
    limit: z.int().min(1).max(brokerLimits.listNodes).optional(),
  }),
  result: z.strictObject({ nodes: z.array(nodeSeen).max(brokerLimits.listNodes), more: z.boolean() }),
} as const;

const metricRead = {
  capability: "metric:read",
  during: ["describe", "health"],
  says: "Reads what a node has measured in the last minutes, as means of equal stretches; null where nothing was measured.",
  params: z.strictObject({
    node: nodeId,
    minutes: z.int().min(1).max(brokerLimits.metricMinutes).optional(),
    points: z.int().min(2).max(brokerLimits.metricPoints).optional(),
  }),
  result: z.strictObject({
    from: z.iso.datetime(),
    stepSeconds: z.int(),
    minutes: z.int(),
    means: z.strictObject(
      Object.fromEntries(
        drawnMetrics.map((name) => [name, z.array(z.number().nullable()).max(brokerLimits.metricPoints)]),
      ) as Record<DrawnMetric, z.ZodArray<z.ZodNullable<z.ZodNumber>>>,
    ),
  }),
} as const;

const httpFetch = {
  capability: "http:egress",
  during: ["describe", "health"],
  says: "Sends one HTTPS request to a host the manifest names. No redirect is followed.",
  params: z.strictObject({
    url: z
      .string()
      .max(brokerLimits.urlCharacters)
      .regex(/^https:\/\/[\x21-\x7e]+$/, "must be an https:// address in ASCII"),
    method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]).optional(),
    headers: headers.optional(),
    body: z
      .string()
      .max(brokerLimits.requestBodyBytes * 2)
      .optional(),
    bodyEncoding: encoding.optional(),
  }),
  result: z.strictObject({
    status: z.int().min(100).max(599),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
    bodyEncoding: encoding,
  }),
} as const;

/**
 * Everything a plugin can ask of the server (contract 3.1): the capability it needs, the actions it can be called in, and the
 * closed forms of question and answer. A method that is not here does not exist.
 *
 * `during` keeps plans reproducible: while a plan is drawn up a plugin can write, and nothing but the recorded question is read.
 */
export const brokerMethods = {
  "kv.get": kvGet,
  "kv.list": kvList,
  "kv.put": kvPut,
  "kv.delete": kvDelete,
  "log.write": logWrite,
  "node.list": nodeList,
  "metric.read": metricRead,
  "http.fetch": httpFetch,
} as const satisfies Record<BrokerMethod, BrokerMethodSpec>;

interface BrokerMethodSpec {
  readonly capability: Capability;
  readonly during: readonly ActionName[];
  readonly says: string;
  readonly params: z.ZodType;
  readonly result: z.ZodType;
}

export type BrokerParams<M extends BrokerMethod> = z.input<(typeof brokerMethods)[M]["params"]>;
export type BrokerResult<M extends BrokerMethod> = z.output<(typeof brokerMethods)[M]["result"]>;
