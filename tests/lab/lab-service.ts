import type { Operation } from "@gatehouse/plan";
import type { ManagedHost } from "./managed-host.ts";

/** A service that does not start without a good setting, and says which it found; and the directory that its settings stand in. */
export const labPlace = "/etc/lab";
export const labService = "lab-echo.service";
export const labSettings = `${labPlace}/echo.conf`;

const unit = `[Unit]
Description=A service of the lab
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStartPre=/bin/sh -c 'grep good ${labSettings} || { echo no good setting; exit 1; }'
ExecStart=/bin/sleep infinity

[Install]
WantedBy=multi-user.target
`;

/** Installs it, with a good setting, and starts it. */
export async function makeLabService(host: ManagedHost): Promise<void> {
  await host.write(`/etc/systemd/system/${labService}`, unit);
  await host.write(labSettings, "good 1\n");
  await host.shell(`systemctl daemon-reload && systemctl enable --now --quiet ${labService}`);
}

export function settingsOf(text: string, path = labSettings): Operation {
  return { kind: "file.write", path, text, mode: "0644", owner: "root", group: "root" };
}

export const restart: Operation = { kind: "service.restart", unit: labService };

/** Whether it runs, and by which of its starts. */
export async function serviceOn(
  host: ManagedHost,
  service = labService,
): Promise<{ readonly active: string; readonly start: string }> {
  const shown = await host.shell(`systemctl show ${service} --property=ActiveState,InvocationID`);
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(shown)?.[1] ?? "";
  return { active: value("ActiveState"), start: value("InvocationID") };
}

/** Every file in the directory of the settings: its rights, which file it is, how many names it has, and what it holds. */
export async function placeOn(host: ManagedHost): Promise<string> {
  const each = `stat --format '%n %a %u:%g %i %h' "$file" && cat "$file"`;
  return host.shell(`cd ${labPlace} && for file in $(find . -type f | LC_ALL=C sort); do ${each}; done`);
}

/** The same of files that a change has made: which ones they are, nobody knows before. */
export function placeWith(files: Readonly<Record<string, string>>): RegExp {
  const each = Object.entries(files).map(
    ([name, text]) => `\\./${RegExp.escape(name)} 644 0:0 \\d+ 1\n${RegExp.escape(text)}`,
  );
  return new RegExp(`^${each.join("")}$`);
}
