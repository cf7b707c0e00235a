/** Where a text that is written becomes a program that root runs, or decides who root is. */
export const rootPaths = [
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

/** Whether whoever writes there can become root. A directory that holds such a place is one itself. */
export function equalsRootAt(path: string): boolean {
  const name = realName(path);
  return (
    /(^|\/)\.ssh(\/|$)|(^|\/)authorized_keys$/.test(name) ||
    rootPaths.some((place) => isWithin(name, place) || isWithin(place, name))
  );
}

export function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

/** Distributions keep the old names as links. */
export function realName(path: string): string {
  return path
    .replace(/^\/(bin|sbin|lib|lib64)(?=\/|$)/, "/usr/$1")
    .replace(/^\/usr\/sbin(?=\/|$)/, "/usr/bin")
    .replace(/^\/var\/run(?=\/|$)/, "/run");
}
