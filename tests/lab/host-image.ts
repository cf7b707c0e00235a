import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needMadeImage } from "./made-image.ts";

/** Loaded before a program it shifts its clock. It has this name on every processor. */
export const fakeTime = "/usr/local/lib/libfaketime.so";

/** What somebody's server has: systemd as its first process, and the tools that operations use. */
const packages = [
  "systemd",
  "systemd-sysv",
  "dbus",
  "libnss-systemd",
  "libpam-systemd",
  "login",
  "util-linux",
  "procps",
  "nftables",
  "iproute2",
  "openssh-server",
  "iputils-ping",
  "wireguard-tools",
  "wireguard-go",
  "ca-certificates",
  "curl",
  "sudo",
  "libfaketime",
];

/** They would reach for a network that is not there, at hours that nobody chose. */
const masked = ["apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "fstrim.timer"];

const firstProcess = "/usr/local/sbin/lab-init";

/** The kernel is the machine's, and so is its name for this boot: a host gets one of its own each time, as containers of systemd do. */
const firstProcessScript = `#!/bin/sh -eu
cat /proc/sys/kernel/random/uuid > /run/boot-id
mount --bind /run/boot-id /proc/sys/kernel/random/boot_id
exec /sbin/init
`;

/** The image of a managed host: Debian 13 that boots. Gives its name. */
export function needHostImage(): Promise<string> {
  return needMadeImage({
    name: "host",
    file: import.meta.filename,
    // Newer ones do not run on the first version of control groups.
    version: "systemd-257",
    packages,
    changes: [`CMD ["${firstProcess}"]`],
    fill,
  });
}

function fill(root: string): void {
  // Each host gets an identity of its own at its first boot, and its journal outlives every boot.
  writeFileSync(join(root, "etc/machine-id"), "");
  // systemd would take the one that the package of the bus drew while the image was made.
  rmSync(join(root, "var/lib/dbus/machine-id"), { force: true });
  symlinkSync("/etc/machine-id", join(root, "var/lib/dbus/machine-id"));
  mkdirSync(join(root, "var/log/journal"), { recursive: true });
  writeFileSync(join(root, firstProcess), firstProcessScript, { mode: 0o755 });
  for (const unit of masked) {
    rmSync(join(root, "etc/systemd/system/timers.target.wants", unit), { force: true });
    symlinkSync("/dev/null", join(root, "etc/systemd/system", unit));
  }
  const [library] = readdirSync(join(root, "usr/lib")).filter((name) => name.endsWith("-linux-gnu"));
  if (library === undefined) throw new Error("the image has no folder for the libraries of its processor");
  symlinkSync(`/usr/lib/${library}/faketime/libfaketimeMT.so.1`, join(root, fakeTime));
}
