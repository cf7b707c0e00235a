import { expect, test } from "vitest";
import { usualPlaces, workLines } from "../../host-work.ts";
import { renderLink, renderWireguard } from "./render.ts";
import { wireguardOperation as operation } from "./wireguard-cases.ts";
import { wireguardGoWords, wireguardUnit, wireguardWork } from "./wireguard-words.ts";

const work = wireguardWork(operation, usualPlaces);
const isUnit = (argv: readonly string[]) => argv[0] === "systemd-run" && argv.includes("wireguard-go");
const started = (step: string) =>
  work.programs.flatMap((one) => (one.step === step && !isUnit(one.argv) ? [one.argv.join(" ")] : []));
const reading = [
  "ip -json -details link show dev wg0",
  "ip -json address show dev wg0",
  "ip -json -4 route show table all dev wg0",
  "ip -json -6 route show table all dev wg0",
  "wg show wg0 dump",
];
const making = (directory: string, verb: string) => [
  "ip -json -details link show dev wg0",
  "ip link add dev wg0 type wireguard",
  "wg show wg0 dump",
  `wg setconf wg0 ${directory}/${verb}wg0.conf`,
  "wg set wg0 private-key /var/lib/gatehouse/wireguard/wg0.key",
  `ip -batch ${directory}/${verb}wg0.ip`,
  "ip link delete dev wg0",
];
const task = "/var/lib/gatehouse/snapshots/TASK";
const kept = "/var/lib/gatehouse/wireguard";

test("a host reads the interface with ip and wg, and looks for what could make one", () => {
  expect(started("state")).toEqual(reading);
  expect(started("snapshot")).toEqual(reading);
  expect(started("check")).toEqual(reading);
  expect(started("prove")).toEqual([]);
  expect(started("validate")).toEqual([
    "wg --version",
    ...reading,
    "systemd-run --quiet --wait --collect -- modprobe --dry-run --quiet wireguard",
    "wireguard-go --version",
  ]);
});

test("it makes it from the two files and the key, and at boot from those that were kept", () => {
  expect(started("apply")).toEqual(making(task, "apply-"));
  expect(started("boot")).toEqual(making(kept, ""));
  expect(started("restore")).toEqual(making(task, "restore-"));
});

test("the files are the texts for wg and for ip, for the change and for the next boot", () => {
  const [configuration, link] = [renderWireguard(operation), renderLink(operation)];
  expect(work.files).toEqual([
    { path: `${task}/apply-wg0.conf`, text: configuration },
    { path: `${task}/apply-wg0.ip`, text: link },
    { path: `${kept}/wg0.conf`, text: configuration },
    { path: `${kept}/wg0.ip`, text: link },
  ]);
});

test("wireguard-go has a unit of its own, whose settings are the same for every interface", () => {
  const units = work.programs.filter(({ argv }) => isUnit(argv));
  expect(units.map(({ step }) => step)).toEqual(["apply", "restore", "boot"]);
  for (const { argv } of units) expect(argv).toEqual(["systemd-run", ...wireguardGoWords("wg0")]);
  const words = wireguardGoWords("wg7");
  expect(words.slice(0, 3)).toEqual(["--quiet", "--collect", `--unit=${wireguardUnit("wg7")}`]);
  expect(words.slice(-3)).toEqual(["--", "wireguard-go", "wg7"]);
  const settings = words.slice(3, -3);
  expect(settings).toEqual(wireguardGoWords("wg0").slice(3, -3));
  for (const one of settings) expect(one).toMatch(/^--property=[A-Z][A-Za-z]+=[A-Za-z0-9_/@= -]*$/);
  for (const one of [
    "Type=forking",
    "ProtectSystem=strict",
    "ProtectHome=yes",
    "NoNewPrivileges=yes",
    "DevicePolicy=closed",
  ]) {
    expect(settings).toContain(`--property=${one}`);
  }
});

test("a reader sees where each word ends, also one that has a blank in it", () => {
  const line = workLines(work).find((one) => one.includes("systemd-run") && one.includes("wireguard-go")) ?? "";
  expect(line).toContain(" '--property=CapabilityBoundingSet=CAP_NET_ADMIN CAP_NET_BIND_SERVICE' ");
  expect(line).toContain(" -- wireguard-go wg0  # the change");
  const words = work.programs.flatMap(({ argv }) => argv);
  expect(words.filter((word) => /['"\\]|^$/.test(word))).toEqual([]);
});

test("no word and no text has a private key, but the name of its file", () => {
  const all = JSON.stringify(work);
  expect(all.replaceAll(/"wg","set","wg0","private-key","[a-z/]+wg0\.key"/g, "")).not.toMatch(/private-?key|\.key/i);
});
