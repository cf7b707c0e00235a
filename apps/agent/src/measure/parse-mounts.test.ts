import { expect, test } from "vitest";
import { findFileSystems, parseMounts } from "./parse-mounts.ts";

const find = (text: string) => findFileSystems(parseMounts(text));

test("a plain host: disks count once each, and neither memory, kernel nor network is asked", () => {
  expect(
    find(`22 28 0:20 / /sys rw,nosuid,nodev,noexec,relatime shared:7 - sysfs sysfs rw
23 28 0:21 / /proc rw,nosuid,nodev,noexec,relatime shared:13 - proc proc rw
24 28 0:5 / /dev rw,nosuid,relatime shared:2 - devtmpfs udev rw,size=4014204k,mode=755
27 28 0:24 / /run rw,nosuid,nodev,noexec,relatime shared:5 - tmpfs tmpfs rw,size=807380k,mode=755
28 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw,errors=remount-ro
60 28 254:15 / /boot/efi rw,relatime shared:30 - vfat /dev/vda15 rw,fmask=0077
61 28 254:1 /srv/data /mnt/again rw,relatime shared:1 - ext4 /dev/vda1 rw
62 28 0:50 / /mnt/nfs rw,relatime shared:88 - nfs4 10.0.0.1:/export rw,vers=4.2
63 28 0:51 / /mnt/sshfs rw,nosuid - fuse.sshfs me@host:/ rw
64 28 7:1 / /snap/core/1 ro,nodev,relatime shared:90 - squashfs /dev/loop1 ro,errors=continue
65 28 11:0 / /media/cd ro,relatime - iso9660 /dev/sr0 ro,nojoliet
66 28 0:60 / /var/lib/docker/overlay2/x/merged rw - overlay overlay rw,lowerdir=a,upperdir=b
`),
  ).toEqual([["/", "/mnt/again"], ["/boot/efi"]]);
});

test("as systemd shows it to the agent, where every mount is read-only and no file system has become so", () => {
  expect(
    find(`500 400 8:2 / / ro,relatime master:1 - xfs /dev/sda2 rw,attr2,inode64
501 500 8:2 /tmp/systemd-private-1/tmp /tmp rw,relatime master:1 - xfs /dev/sda2 rw,attr2
502 500 0:44 / /dev ro,nosuid - tmpfs tmpfs rw,size=4096k
503 500 0:25 /systemd/inaccessible/dir /root ro,nosuid - tmpfs tmpfs rw,mode=755
504 500 8:3 / /var ro,relatime master:9 - xfs /dev/sda3 rw
`),
  ).toEqual([["/", "/tmp"], ["/var"]]);
});

test("file systems with devices of their own count, each once", () => {
  expect(
    find(`30 1 0:26 /@ / rw,relatime shared:1 - btrfs /dev/nvme0n1p2 rw,subvol=/@
31 30 0:26 /@home /home rw,relatime shared:2 - btrfs /dev/nvme0n1p2 rw,subvol=/@home
32 30 0:40 / /tank rw,relatime shared:3 - zfs tank rw,xattr,noacl
33 30 0:41 / /old ro,relatime shared:4 - zfs tank/old ro,xattr
`),
  ).toEqual([["/", "/home"], ["/tank"]]);
});

test("in a container the root counts, and so does a disk of which a single file is mounted", () => {
  expect(
    find(`700 650 0:70 / / rw,relatime - overlay overlay rw,lowerdir=a,upperdir=b
701 700 0:71 / /proc rw - proc proc rw
702 700 8:1 /docker/containers/x/hosts /etc/hosts rw,relatime - ext4 /dev/sda1 rw
`),
  ).toEqual([["/"], ["/etc/hosts"]]);
});

test("where nothing can be written, the root is all there is; and without a root there is nothing", () => {
  expect(
    find(
      "20 1 8:1 / / ro - ext4 /dev/sda1 ro\n21 20 7:0 / /usr ro - squashfs /dev/loop0 ro\n22 20 0:5 / /run rw - tmpfs run rw\n",
    ),
  ).toEqual([["/"]]);
  expect(find("21 20 7:0 / /usr ro - squashfs /dev/loop0 ro\n")).toEqual([]);
});

test.each([
  ["at its own place", "40 30 0:50 / /data rw - nfs4 a:/b rw"],
  ["above it", "40 28 0:50 / /data rw - nfs4 a:/b rw"],
])("a disk is not asked where something is mounted over it %s", (where, over) => {
  const point = where === "above it" ? "/data/disk" : "/data";
  const disk = `30 28 8:2 / ${point} rw - ext4 /dev/sdb rw`;
  const below = "31 30 8:3 / /data/disk/deeper rw - ext4 /dev/sdc rw";
  const root = "28 1 8:1 / / rw - ext4 /dev/sda rw";
  expect(find([root, disk, below].join("\n"))).toEqual([["/"], [point], ["/data/disk/deeper"]]);
  expect(find([root, over, disk, below].join("\n"))).toEqual([["/"]]);
});

test("what is mounted over the root hides nothing from an agent that is in it", () => {
  expect(
    find(
      "28 1 8:1 / / rw - ext4 /dev/sda rw\n29 28 8:2 / /data rw - ext4 /dev/sdb rw\n30 28 0:9 / / rw - nfs4 a:/b ro\n",
    ),
  ).toEqual([["/"], ["/data"]]);
});

test("what is mounted on top is asked, and a name that only begins alike hides nothing", () => {
  expect(
    find(`28 1 8:1 / / rw - ext4 /dev/sda rw
29 28 8:2 / /data rw - ext4 /dev/sdb rw
30 29 8:3 / /data rw - ext4 /dev/sdc rw
31 28 8:4 / /data2 rw - ext4 /dev/sdd rw
`),
  ).toEqual([["/"], ["/data"], ["/data2"]]);
});

test("a place may have a space in its name, and optional fields are as many as there are", () => {
  expect(
    parseMounts(
      String.raw`36 35 98:0 /a\040b /mnt/x\040y\134z rw,noatime master:1 propagate_from:2 - ext3 /dev/root rw,errors=continue`,
    ),
  ).toEqual([
    { id: "36", parent: "35", device: "98:0", point: String.raw`/mnt/x y\z`, type: "ext3", isReadOnly: false },
  ]);
});

test.each([
  "",
  "36 35",
  "36 35 98:0 / /mnt rw",
  "36 35 98:0 / /mnt rw - ext3 /dev/root",
  "36 35 98:0 / - ext3 /dev/root rw",
])("%j is no mount", (text) => {
  expect(parseMounts(text)).toEqual([]);
});

test("mounts that say they stand on each other end the search all the same", () => {
  expect(find("1 2 8:1 / /a rw - ext4 /dev/sda rw\n2 1 8:2 / /b rw - ext4 /dev/sdb rw\n")).toEqual([["/a"], ["/b"]]);
});
