import type { HostPlaces, HostWork, WorkStep } from "../../host-work.ts";
import { renderLink, renderWireguard } from "./render.ts";
import type { NetworkWireguard } from "./wireguard-interface.ts";

/** What `ip` is asked with: the part behind the program's own name. The agent starts it with these very words. */
export const ipWords = {
  link: (name: string): readonly string[] => ["-json", "-details", "link", "show", "dev", name],
  addresses: (name: string): readonly string[] => ["-json", "address", "show", "dev", name],
  /** In every table: an interface that is set up anew loses them all. */
  routes: (family: 4 | 6, name: string): readonly string[] => [
    "-json",
    `-${family}`,
    "route",
    "show",
    "table",
    "all",
    "dev",
    name,
  ],
  add: (name: string): readonly string[] => ["link", "add", "dev", name, "type", "wireguard"],
  remove: (name: string): readonly string[] => ["link", "delete", "dev", name],
  batch: (path: string): readonly string[] => ["-batch", path],
};

/** What `wg` is asked with. */
export const wgWords = {
  version: ["--version"] as readonly string[],
  /** With the private key in its first column: whoever reads it leaves that out. */
  dump: (name: string): readonly string[] => ["show", name, "dump"],
  configure: (name: string, path: string): readonly string[] => ["setconf", name, path],
  key: (name: string, path: string): readonly string[] => ["set", name, "private-key", path],
};

/** Whether the kernel has a module for it, without loading one. */
export const modprobeWords: readonly string[] = ["--dry-run", "--quiet", "wireguard"];

/** What systemd-run is asked with to ask that in a unit of its own: the bounds of the helper hide all modules. */
export const wireguardModuleWords: readonly string[] = [
  "--quiet",
  "--wait",
  "--collect",
  "--",
  "modprobe",
  ...modprobeWords,
];

export const wireguardUnit = (name: string) => `gatehouse-wireguard-${name}.service`;

/** What keeps the process where it belongs: it has the network and the device, and nothing of the host's files. */
const unitSettings = [
  // It is there when its socket listens. Before that `wg` takes the socket for one that was left behind, and removes it.
  "Type=forking",
  // At boot it comes before everything else.
  "DefaultDependencies=no",
  "Environment=WG_I_PREFER_BUGGY_USERSPACE_TO_POLISHED_KMOD=1",
  "Environment=LOG_LEVEL=error",
  "RuntimeDirectory=wireguard",
  "RuntimeDirectoryPreserve=yes",
  "AmbientCapabilities=",
  "CapabilityBoundingSet=CAP_NET_ADMIN CAP_NET_BIND_SERVICE",
  "DeviceAllow=/dev/net/tun",
  "DevicePolicy=closed",
  "LimitCORE=0",
  "LockPersonality=yes",
  "NoNewPrivileges=yes",
  "PrivateTmp=yes",
  "ProtectClock=yes",
  "ProtectControlGroups=yes",
  "ProtectHome=yes",
  "ProtectHostname=yes",
  "ProtectKernelLogs=yes",
  "ProtectKernelModules=yes",
  "ProtectKernelTunables=yes",
  "ProtectSystem=strict",
  "RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK AF_UNIX",
  "RestrictNamespaces=yes",
  "RestrictRealtime=yes",
  "RestrictSUIDSGID=yes",
  "SystemCallArchitectures=native",
  "SystemCallFilter=@system-service",
  "UMask=0077",
];

/** What systemd-run is asked with where the kernel knows no WireGuard: wireguard-go, in a unit of its own. */
export function wireguardGoWords(name: string): readonly string[] {
  const unit = `--unit=${wireguardUnit(name)}`;
  const settings = unitSettings.map((line) => `--property=${line}`);
  return ["--quiet", "--collect", unit, ...settings, "--", "wireguard-go", name];
}

/** Whether the host has it. */
export const wireguardGoVersion: readonly string[] = ["--version"];

/** The files that `wg` and `ip` read, and the key. */
export const wireguardFiles = {
  configuration: (verb: "apply" | "restore", name: string) => `${verb}-${name}.conf`,
  link: (verb: "apply" | "restore", name: string) => `${verb}-${name}.ip`,
  key: (name: string) => `${name}.key`,
  keptConfiguration: (name: string) => `${name}.conf`,
  keptLink: (name: string) => `${name}.ip`,
};

export function wireguardWork(operation: NetworkWireguard, { directory, wireguard }: HostPlaces): HostWork {
  const { interface: name } = operation;
  const at = (verb: "apply" | "restore") => ({
    configuration: `${directory}/${wireguardFiles.configuration(verb, name)}`,
    link: `${directory}/${wireguardFiles.link(verb, name)}`,
  });
  const kept = {
    configuration: `${wireguard}/${wireguardFiles.keptConfiguration(name)}`,
    link: `${wireguard}/${wireguardFiles.keptLink(name)}`,
  };
  const key = `${wireguard}/${wireguardFiles.key(name)}`;
  const reading = [
    ["ip", ...ipWords.link(name)],
    ["ip", ...ipWords.addresses(name)],
    ["ip", ...ipWords.routes(4, name)],
    ["ip", ...ipWords.routes(6, name)],
    ["wg", ...wgWords.dump(name)],
  ];
  const making = (files: { readonly configuration: string; readonly link: string }) => [
    ["ip", ...ipWords.link(name)],
    ["ip", ...ipWords.add(name)],
    ["systemd-run", ...wireguardGoWords(name)],
    ["wg", ...wgWords.dump(name)],
    ["wg", ...wgWords.configure(name, files.configuration)],
    ["wg", ...wgWords.key(name, key)],
    ["ip", ...ipWords.batch(files.link)],
    // Of one that was added, and where a later step failed.
    ["ip", ...ipWords.remove(name)],
  ];
  const maker = [
    ["systemd-run", ...wireguardModuleWords],
    ["wireguard-go", ...wireguardGoVersion],
  ];
  const steps: [WorkStep, readonly (readonly string[])[]][] = [
    ["state", reading],
    ["validate", [["wg", ...wgWords.version], ...reading, ...maker]],
    ["snapshot", reading],
    ["apply", making(at("apply"))],
    ["check", reading],
    ["restore", making(at("restore"))],
    ["boot", making(kept)],
  ];
  const configuration = renderWireguard(operation);
  const link = renderLink(operation);
  return {
    files: [
      { path: at("apply").configuration, text: configuration },
      { path: at("apply").link, text: link },
      { path: kept.configuration, text: configuration },
      { path: kept.link, text: link },
    ],
    programs: steps.flatMap(([step, all]) => all.map((argv) => ({ step, argv }))),
  };
}
