import { expect, test } from "vitest";
import { equalsRootAt, rootPaths } from "./root-paths.ts";

test("whoever writes a unit, a cron table, a profile or a key of root is root", () => {
  const paths = ["/etc/systemd/system/a.service", "/etc/cron.d/a", "/etc/sudoers.d/a", "/etc/profile.d/a.sh"];
  const others = ["/etc/passwd", "/etc/ld.so.preload", "/etc/pam.d/sshd", "/root", "/srv/git/.ssh/authorized_keys"];
  for (const path of [...paths, ...others, "/srv/authorized_keys"]) {
    expect(equalsRootAt(path)).toBe(true);
  }
  for (const path of ["/etc/motd", "/etc/nginx/nginx.conf", "/etc/passwd.txt", "/srv/www/index.html"]) {
    expect(equalsRootAt(path)).toBe(false);
  }
});

test("the old names of a place, and what holds one, are no way around", () => {
  for (const path of ["/bin/x", "/sbin/x", "/usr/sbin/x", "/lib/systemd/system/x.service", "/etc", "/usr"]) {
    expect(equalsRootAt(path)).toBe(true);
  }
});

test("the list is sorted and names no place twice", () => {
  expect(rootPaths).toEqual([...new Set(rootPaths)].toSorted());
});
