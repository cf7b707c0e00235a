import { refusedVariables } from "./refuse-environment.ts";

/** The two parts of the agent as systemd starts them, the door between them, and what runs once before the host has a network. */
export const unitNames = {
  agent: "gatehouse-agent.service",
  socket: "gatehouse-helper.socket",
  helper: "gatehouse-helper.service",
  boot: "gatehouse-boot.service",
} as const;

/** The units that systemd makes for one change and forgets: what takes it back, its timer, and the trial of it. */
export const deadmanUnits = {
  service: "gatehouse-deadman.service",
  timer: "gatehouse-deadman.timer",
  check: "gatehouse-deadman-check.service",
} as const;

const note = "# Written by gatehouse-agent enrol; the next one replaces it. Changes of yours belong into a drop-in.";

/** What both parts have: nothing new can be gained, no code can be made while running, nothing of the manager's leaks in. */
const hardening = [
  "CapabilityBoundingSet=%CAPABILITIES%",
  "AmbientCapabilities=",
  "DevicePolicy=closed",
  "KeyringMode=private",
  "LimitCORE=0",
  "LockPersonality=yes",
  "MemoryDenyWriteExecute=yes",
  "NoNewPrivileges=yes",
  "PrivateDevices=yes",
  "PrivateTmp=yes",
  "ProtectClock=yes",
  "ProtectControlGroups=yes",
  "ProtectHostname=yes",
  "ProtectKernelLogs=yes",
  "ProtectKernelModules=yes",
  "ProtectKernelTunables=yes",
  "ProtectProc=invisible",
  "ProtectSystem=strict",
  "RemoveIPC=yes",
  "RestrictNamespaces=yes",
  "RestrictRealtime=yes",
  "RestrictSUIDSGID=yes",
  "SystemCallArchitectures=native",
  "SystemCallErrorNumber=EPERM",
  "SystemCallFilter=@system-service",
  "UMask=0077",
  `UnsetEnvironment=${refusedVariables.join(" ")}`,
];

const hardenedWith = (capabilities: string) =>
  hardening.map((line) => line.replace("%CAPABILITIES%", capabilities)).join("\n");

const agentUnit = `${note}
[Unit]
Description=Gatehouse agent: the connection of this host to its server
After=network-online.target ${unitNames.socket}
Wants=network-online.target ${unitNames.socket}
# Root writes this file when it enrols the host.
ConditionPathExists=/etc/gatehouse/server.json
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=/usr/lib/gatehouse/gatehouse-agent run
Restart=always
RestartSec=2s
# 5: this host is not enrolled. Trying again would not change it.
RestartPreventExitStatus=5
DynamicUser=yes
# The only thing it gains: it may speak with the helper, which trusts nothing it says.
SupplementaryGroups=gatehouse
StateDirectory=gatehouse-agent
StateDirectoryMode=0700
MemoryMax=128M
TasksMax=64
PrivateIPC=yes
ProtectHome=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
${hardenedWith("")}

[Install]
WantedBy=multi-user.target
`;

const helperSocket = `${note}
[Unit]
Description=Gatehouse helper: its door, for the agent of this host

[Socket]
ListenStream=/run/gatehouse/helper.sock
SocketUser=root
SocketGroup=gatehouse
SocketMode=0660
DirectoryMode=0755
Backlog=8
RemoveOnStop=yes
# Somebody who connects very often must not be able to shut the door for good.
TriggerLimitIntervalSec=0

[Install]
WantedBy=sockets.target
`;

/** What may change the host has these bounds, whether it is asked by the network part, runs at boot or takes a change back. */
const helperBounds = `# Firewall and interfaces are the host's own, so that it shares the host's network; it can open no connection there.
RestrictAddressFamilies=AF_UNIX AF_NETLINK
IPAddressDeny=any
ProtectHome=read-only
# Even where the ceiling opens a directory above them.
ReadOnlyPaths=-/etc/gatehouse -/usr/bin/gatehouse-agent
${Object.values(unitNames)
  .map((unit) => `ReadOnlyPaths=-/etc/systemd/system/${unit} -/etc/systemd/system/${unit}.d`)
  .join("\n")}
${hardenedWith("CAP_CHOWN CAP_DAC_OVERRIDE CAP_DAC_READ_SEARCH CAP_FOWNER CAP_KILL CAP_NET_ADMIN")}`;

const helperUnit = `${note}
[Unit]
Description=Gatehouse helper: the part of the agent that reads and changes this host
Requires=${unitNames.socket}
After=${unitNames.socket}
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=/usr/lib/gatehouse/gatehouse-agent helper
# A host that halts does not wait for a change: whatever was open is ended before the network comes up again.
TimeoutStopSec=20s
StateDirectory=gatehouse
StateDirectoryMode=0700
MemoryMax=512M
TasksMax=128
${helperBounds}
`;

/** Before anything of the host can be reached: what a power cut left open is taken back, then confirmed tables are loaded. */
const bootUnit = `${note}
[Unit]
Description=Gatehouse at boot: takes back what was left open, and loads the firewall that was confirmed
DefaultDependencies=no
# The start of nftables.service empties the whole rule set.
After=local-fs.target nftables.service
Before=network-pre.target ${unitNames.agent} ${unitNames.socket}
Wants=network-pre.target

[Service]
Type=oneshot
RemainAfterExit=yes
# The last program that was confirmed: an update that does not work cannot keep a change from being taken back.
ExecStart=/usr/lib/gatehouse/rescue/gatehouse-agent boot
# A host without its firewall can be mended; one that never finishes its boot cannot be reached.
TimeoutStartSec=120s
StateDirectory=gatehouse
StateDirectoryMode=0700
${helperBounds}

[Install]
WantedBy=sysinit.target
`;

/** By file name, as they are installed and as deploy/systemd shows them (a test compares the two). */
export const unitFiles: Readonly<Record<string, string>> = {
  [unitNames.agent]: agentUnit,
  [unitNames.socket]: helperSocket,
  [unitNames.helper]: helperUnit,
  [unitNames.boot]: bootUnit,
};

/** The settings of a unit's service, for units that systemd makes of them at run time; `not` are those that it says itself. */
export function serviceSettings(unit: string, not: readonly string[]): string[] {
  const text = unitFiles[unit] ?? "";
  const service = text.slice(text.indexOf("[Service]")).split("\n[Install]", 1).join("");
  const settings = service.split("\n").filter((line) => /^[A-Z]\w*=/.test(line));
  return settings.filter((line) => !not.includes(line.slice(0, line.indexOf("="))));
}

/** For systemd-sysusers: the group that may open the helper's door. */
export const groupFile = "# Written by gatehouse-agent enrol.\ng gatehouse -\n";
