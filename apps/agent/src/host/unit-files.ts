import { refusedVariables } from "./refuse-environment.ts";

/** The two parts of the agent as systemd starts them, and the door between them. */
export const unitNames = {
  agent: "gatehouse-agent.service",
  socket: "gatehouse-helper.socket",
  helper: "gatehouse-helper.service",
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

const helperUnit = `${note}
[Unit]
Description=Gatehouse helper: the part of the agent that reads and changes this host
Requires=${unitNames.socket}
After=${unitNames.socket}
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=/usr/lib/gatehouse/gatehouse-agent helper
StateDirectory=gatehouse
StateDirectoryMode=0700
MemoryMax=512M
TasksMax=128
# Firewall and interfaces are the host's own, so that it shares the host's network; it can open no connection there.
RestrictAddressFamilies=AF_UNIX AF_NETLINK
IPAddressDeny=any
ProtectHome=read-only
# Even where the ceiling opens a directory above them.
ReadOnlyPaths=-/etc/gatehouse -/usr/bin/gatehouse-agent
ReadOnlyPaths=-/etc/systemd/system/${unitNames.agent} -/etc/systemd/system/${unitNames.agent}.d
ReadOnlyPaths=-/etc/systemd/system/${unitNames.helper} -/etc/systemd/system/${unitNames.helper}.d
ReadOnlyPaths=-/etc/systemd/system/${unitNames.socket} -/etc/systemd/system/${unitNames.socket}.d
${hardenedWith("CAP_CHOWN CAP_DAC_OVERRIDE CAP_DAC_READ_SEARCH CAP_FOWNER CAP_KILL CAP_NET_ADMIN")}
`;

/** By file name, as they are installed and as deploy/systemd shows them (a test compares the two). */
export const unitFiles: Readonly<Record<string, string>> = {
  [unitNames.agent]: agentUnit,
  [unitNames.socket]: helperSocket,
  [unitNames.helper]: helperUnit,
};

/** For systemd-sysusers: the group that may open the helper's door. */
export const groupFile = "# Written by gatehouse-agent enrol.\ng gatehouse -\n";
