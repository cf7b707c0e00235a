import { equalsRootAt, isWithin, realName } from "@gatehouse/plan";
import type { CeilingEntry } from "./ceiling-entry.ts";

/** Whoever writes these decides what Gatehouse is, or speaks with the kernel: no entry may name them or anything in them. */
export const protectedPaths = [
  "/dev",
  "/etc/gatehouse",
  "/etc/sysusers.d/gatehouse.conf",
  "/proc",
  "/run",
  "/sys",
  "/usr/bin/gatehouse-agent",
  "/usr/lib/gatehouse",
  "/var/lib/gatehouse",
  "/var/lib/gatehouse-agent",
  "/var/lib/private/gatehouse-agent",
] as const;

/** Below the directories of units. */
const protectedUnitFile = /^([^/]+\.(wants|requires|upholds)\/)?gatehouse-/;
/** Drop-ins of every service and socket, Gatehouse's too; and what systemd itself puts above all units. */
const dropInOfAll = /^(service|socket)\.d(\/|$)/;
const aboveAllUnits = /^\/(etc|usr\/lib|usr\/local\/lib)\/systemd\/system\.control(\/|$)/;
const unitDirectory = /^\/(etc|usr\/lib|usr\/local\/lib)\/systemd\/(system|system\.attached)\//;
/** By `dbus-org.` names the bus starts services of systemd: they are other names of those. */
const protectedUnit = /^(gatehouse-.*|dbus(-broker|-org\..*)?|systemd-.*|init|emergency|rescue)\.service$/;

/** Why no ceiling may hold the entry, or undefined. */
export function findProtection({ kind, target }: CeilingEntry): string | undefined {
  if (kind === "service.restart") {
    return protectedUnit.test(target) ? `${target} keeps the host or Gatehouse running and is protected` : undefined;
  }
  if (kind !== "file.write" && kind !== "binary.replace") return undefined;
  const path = realName(target);
  const inside = protectedPaths.find((place) => isWithin(path, place));
  if (inside !== undefined) return `${inside} is protected`;
  const unit = unitDirectory.test(path) ? path.replace(unitDirectory, "") : "";
  if (dropInOfAll.test(unit) || aboveAllUnits.test(path))
    return "what is written there reaches every unit, those of Gatehouse too: it is protected";
  return protectedUnitFile.test(unit) ? "the units of Gatehouse are protected" : undefined;
}

/** Why no log of that name may be read: what nobody may write is also where the keys of Gatehouse are. Units are read by their names. */
export function findLogProtection(log: string): string | undefined {
  return isLogPath(log) ? findProtection({ kind: "file.write", target: log }) : undefined;
}

/** A log is a path, or the name of a unit. */
export function isLogPath(log: string): boolean {
  return log.startsWith("/");
}

/** Whether plans could make themselves root with it. A program needs its publisher's signature, so that it is not the same. */
export function equalsRoot({ kind, target }: CeilingEntry): boolean {
  return kind === "file.write" && equalsRootAt(target);
}
