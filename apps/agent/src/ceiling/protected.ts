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

const protectedUnitFile =
  /^\/(etc|usr\/lib|usr\/local\/lib)\/systemd\/(system|system\.attached)\/([^/]+\.wants\/)?gatehouse-/;
const protectedUnit = /^(gatehouse-.*|dbus(-broker)?|systemd-.*|init|emergency|rescue)\.service$/;

/** Where a text that is written becomes a program that root runs, or decides who root is. */
const equalToRoot = [
  "/boot",
  "/etc/NetworkManager/dispatcher.d",
  "/etc/apt",
  "/etc/bash.bashrc",
  "/etc/cron.allow",
  "/etc/cron.d",
  "/etc/cron.daily",
  "/etc/cron.hourly",
  "/etc/cron.monthly",
  "/etc/cron.weekly",
  "/etc/crontab",
  "/etc/dbus-1",
  "/etc/dnf",
  "/etc/dpkg",
  "/etc/environment",
  "/etc/fstab",
  "/etc/group",
  "/etc/gshadow",
  "/etc/init.d",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/ld.so.preload",
  "/etc/logrotate.conf",
  "/etc/logrotate.d",
  "/etc/modprobe.d",
  "/etc/modules-load.d",
  "/etc/network",
  "/etc/nsswitch.conf",
  "/etc/pam.d",
  "/etc/passwd",
  "/etc/polkit-1",
  "/etc/profile",
  "/etc/profile.d",
  "/etc/rc.local",
  "/etc/security",
  "/etc/shadow",
  "/etc/ssh",
  "/etc/sudoers",
  "/etc/sudoers.d",
  "/etc/sysctl.d",
  "/etc/systemd",
  "/etc/tmpfiles.d",
  "/etc/udev",
  "/etc/yum.repos.d",
  "/home",
  "/root",
  "/usr/bin",
  "/usr/lib",
  "/usr/lib64",
  "/usr/libexec",
  "/usr/local/bin",
  "/usr/local/lib",
  "/usr/local/sbin",
  "/var/lib/private",
  "/var/spool/cron",
] as const;

/** Why no ceiling may hold the entry, or undefined. */
export function findProtection({ kind, target }: CeilingEntry): string | undefined {
  if (kind === "service.restart") {
    return protectedUnit.test(target) ? `${target} keeps the host or Gatehouse running and is protected` : undefined;
  }
  if (kind !== "file.write" && kind !== "binary.replace") return undefined;
  const path = realName(target);
  const inside = protectedPaths.find((place) => isWithin(path, place));
  if (inside !== undefined) return `${inside} is protected`;
  return protectedUnitFile.test(path) ? "the units of Gatehouse are protected" : undefined;
}

/** Whether plans could make themselves root with it. A program needs its publisher's signature, so that it is not the same. */
export function equalsRoot({ kind, target }: CeilingEntry): boolean {
  if (kind !== "file.write") return false;
  const path = realName(target);
  return (
    /(^|\/)\.ssh(\/|$)|(^|\/)authorized_keys$/.test(path) ||
    equalToRoot.some((place) => isWithin(path, place) || isWithin(place, path))
  );
}

export function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

/** Distributions keep the old names as links. */
function realName(path: string): string {
  return path
    .replace(/^\/(bin|sbin|lib|lib64)(?=\/|$)/, "/usr/$1")
    .replace(/^\/usr\/sbin(?=\/|$)/, "/usr/bin")
    .replace(/^\/var\/run(?=\/|$)/, "/run");
}
