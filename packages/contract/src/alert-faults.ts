import type { FaultKind } from "@gatehouse/base";

/** The part of the fault table that is about alerts, their rules and their silences. */
export const alertFaults = {
  "alert.unknown": {
    kind: "unknown",
    title: "There is no such open alert",
    todo: "List the alerts again; it may have ended. The audit log says when.",
  },
  "alert.rule_unknown": {
    kind: "unknown",
    title: "There is no such alert rule",
    todo: "List the alert rules again; it may have been removed.",
  },
  "alert.rule_built_in": {
    kind: "conflict",
    title: "The alert rule is always there",
    todo: "Switch it off instead of removing it.",
  },
  "alert.rule_kind": {
    kind: "conflict",
    title: "An alert rule keeps what it watches for",
    todo: "Make another rule, and remove this one or switch it off.",
  },
  "alert.too_many_rules": {
    kind: "conflict",
    title: "There are too many alert rules",
    todo: "Remove rules that are not needed.",
  },
  "alert.silence_unknown": {
    kind: "unknown",
    title: "There is no such silence",
    todo: "List the silences again; it may have ended.",
  },
  "alert.silence_time": {
    kind: "malformed",
    title: "The silence does not end at a usable time",
    todo: "Give a time in the future, at most as far away as the detail says.",
  },
  "alert.too_many_silences": {
    kind: "conflict",
    title: "There are too many silences",
    todo: "End silences that are not needed, or silence a tag in the place of single nodes.",
  },
} as const satisfies Record<string, { kind: FaultKind; title: string; todo: string }>;
