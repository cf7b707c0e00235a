import { expect, test } from "vitest";
import { refusedVariables } from "../host/refuse-environment.ts";
import { unitFiles, unitNames } from "../host/unit-files.ts";
import { armArguments, checkArguments, deadmanCommand, deadmanSettings, fireArguments } from "./deadman-units.ts";

const helper = (unitFiles[unitNames.helper] ?? "").split("\n");

test("it has every bound of the helper, and none of what a helper has that stays", () => {
  const settings = deadmanSettings("");
  const ofHelper = helper.slice(helper.indexOf("[Service]")).filter((line) => /^[A-Z]\w*=/.test(line));
  const missing = ofHelper.filter((line) => !settings.includes(line));
  expect(missing.map((line) => line.split("=")[0])).toEqual([
    "Type",
    "ExecStart",
    "StateDirectory",
    "StateDirectoryMode",
    "MemoryMax",
    "TasksMax",
  ]);
  expect(settings.filter((line) => !ofHelper.includes(line))).toEqual([
    "Type=oneshot",
    "TimeoutStartSec=120s",
    "Restart=on-failure",
    "RestartSec=1s",
    "RestartPreventExitStatus=65",
    "StartLimitIntervalSec=0",
    "KillMode=control-group",
    "OOMScoreAdjust=-900",
    "DefaultDependencies=no",
    "ReadWritePaths=/var/lib/gatehouse",
  ]);
});

test("nothing of the manager's environment makes another program of it", () => {
  const [unset] = deadmanSettings("").filter((line) => line.startsWith("UnsetEnvironment="));
  for (const name of refusedVariables) expect(unset?.split(/[= ]/)).toContain(name);
});

test("of the ceiling's drop-in it takes what opens and closes places, and nothing else", () => {
  const taken = deadmanSettings(
    "[Service]\nReadWritePaths=-/srv\nExecStart=/bin/sh\n#ReadWritePaths=/\nReadOnlyPaths=-/x\n",
  );
  expect(taken.slice(-2)).toEqual(["ReadWritePaths=-/srv", "ReadOnlyPaths=-/x"]);
  expect(taken.some((line) => line.startsWith("ExecStart"))).toBe(false);
});

test("every word stands alone behind the mark where options end", () => {
  const command = deadmanCommand("/usr/lib/gatehouse/rescue/gatehouse-agent", "run", "task_1");
  for (const words of [checkArguments([], command), armArguments([], command, 1), fireArguments([], command)]) {
    expect(words.slice(words.indexOf("--") + 1)).toEqual(command);
    expect(words.some((word) => word === "sh" || word.includes("on-active"))).toBe(false);
  }
});
