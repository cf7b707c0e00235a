import { createHash } from "node:crypto";
import { parseStrictJsonBytes } from "@gatehouse/base";
import { ceilingFrame } from "@gatehouse/channel";
import { hostLogLimits, logSourceForms } from "@gatehouse/contract";
import { fault } from "@gatehouse/contract/faults";
import { findKeepFlaw } from "@gatehouse/plan";
import * as z from "zod";
import { parseCeilingEntry, writeCeilingEntry } from "./ceiling-entry.ts";
import { findProtection } from "./protected.ts";

const entry = z
  .string()
  .max(600)
  .check((context) => {
    const parsed = parseCeilingEntry(context.value);
    const message = "wrong" in parsed ? parsed.wrong : findProtection(parsed);
    if (message !== undefined) context.issues.push({ code: "custom", message, input: context.value });
  });

const keepEntry = z.string().check((context) => {
  const message = findKeepFlaw(context.value);
  if (message !== undefined) context.issues.push({ code: "custom", message, input: context.value });
});

const distinct = (items: readonly string[]) => new Set(items).size === items.length;

/** Nobody could tell whether the others may bring programs there. */
const isClear = (items: readonly string[]) =>
  items.every((text) => {
    const parsed = parseCeilingEntry(text);
    if ("wrong" in parsed || parsed.publisher === undefined) return true;
    const { kind, target } = parsed;
    return !items.includes(writeCeilingEntry({ kind, target }));
  });
const logPath = z.string().regex(logSourceForms.path, "must be an absolute path");
const logUnit = z.string().regex(logSourceForms.unit, "must be the name of a service");

/** What may be read, what is sent and who may type, whatever may be changed. Kept by `ceiling set`; terminals come later. */
const besides = {
  read: z
    .strictObject({
      logs: z
        .array(z.union([logPath, logUnit]))
        .max(64)
        .refine(distinct, "must not name one twice"),
    })
    .optional(),
  send: z
    .strictObject({
      /** Each is a file of its own, or a service: a directory would send what nobody has looked at yet. */
      logs: z
        .array(z.union([logPath.max(hostLogLimits.sourceChars), logUnit]))
        .min(1)
        .max(hostLogLimits.sources)
        .refine(distinct, "must not name one twice"),
    })
    .optional(),
  terminal: z
    .strictObject({
      user: z.string().regex(/^[a-z_][a-z0-9_-]{0,31}$/, "must be the name of a user"),
      modes: z
        .array(z.enum(["e2e", "relay"]))
        .min(1)
        .max(2)
        .refine(distinct, "must not name one twice"),
      graceSeconds: z.int().min(0).max(3_600),
      sessions: z.int().min(1).max(4),
    })
    .optional(),
};

/**
 * /etc/gatehouse/ceiling.json: what local root lets be done on this host. Closed: a field that this version does not know is no
 * ceiling at all, because nobody here can say what it would allow.
 */
const ceiling = z.discriminatedUnion("level", [
  z.strictObject({ schema: z.literal(1), level: z.literal("monitor"), ...besides }),
  z.strictObject({
    schema: z.literal(1),
    level: z.literal("managed"),
    allow: z
      .array(entry)
      .min(1)
      .max(256)
      .refine(distinct, "must not name one twice")
      .refine(isClear, "must not name a path both with a publisher and without"),
    /** Whose word counts: those whom the trust file names, or the server. Absent: nobody's, and no change is made. */
    accepts: z.enum(["signed", "server"]).optional(),
    /** What every firewall table must leave open; absent is SSH from everywhere. */
    keep: z.array(keepEntry).max(64).refine(distinct, "must not name one twice").optional(),
    ...besides,
  }),
]);

export type Ceiling = z.infer<typeof ceiling>;

/** Whose word counts on a host with this ceiling. */
export function acceptsOf(held: Ceiling): "none" | "signed" | "server" {
  return held.level === "monitor" ? "none" : (held.accepts ?? "none");
}

/** What stays open when root did not say what: a host must not lock out those who could mend it. */
export const usualKeep = ["tcp/22:0.0.0.0/0", "tcp/22:::/0"] as const;

export function keepOf(held: Ceiling): readonly string[] {
  return held.level === "monitor" ? [] : (held.keep ?? usualKeep);
}

/** The logs that plans may read: paths, each with everything below it, and units. */
export function logsOf({ read }: Ceiling): readonly string[] {
  return read?.logs ?? [];
}

/** The logs whose lines the host sends to its server by itself: files and services. */
export function sentLogsOf({ send }: Ceiling): readonly string[] {
  return send?.logs ?? [];
}

/** What a host has whose root said nothing. */
export const defaultCeiling: Ceiling = { schema: 1, level: "monitor" };

const mostBytes = 256 * 1024;

export function parseCeiling(bytes: Uint8Array): Ceiling {
  if (bytes.byteLength > mostBytes) throw fault("ceiling.malformed", `expected at most ${mostBytes} bytes`);
  const json = parseStrictJsonBytes(bytes, { depth: 8, keys: 64, items: 1_024 });
  if (!json.ok) throw fault("ceiling.malformed", `it is not strict JSON: ${json.reason} at ${json.at}`);
  const parsed = ceiling.safeParse(json.value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0] as z.core.$ZodIssue;
  const extra = issue.code === "unrecognized_keys" ? ["", ...issue.keys] : [];
  throw fault("ceiling.malformed", `/${issue.path.join("/")}${extra.join("/")}: ${issue.message}`);
}

/** For people to read; its digest is that of its one byte form, however the file is laid out. */
export function ceilingText(value: Ceiling): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** What the host signs beside its facts, so that everybody sees which ceiling holds. Lower-case hexadecimal. */
export function ceilingDigest(value: Ceiling): string {
  return createHash("sha256").update(ceilingFrame(value)).digest("hex");
}
