import { UsageError } from "@gatehouse/command-line";
import { defineAgentCommand, placeOf, rootFlag } from "./agent-command.ts";

export const ceilingSet = defineAgentCommand({
  name: "ceiling set",
  summary: "decide, as root of this host, what may be changed on it",
  about: [
    "Writes /etc/gatehouse/ceiling.json and tells systemd which directories the helper may write at all: what is not named here stays read-only for it, whatever a plan or a server says. Nothing on a server can raise it.",
    "monitor allows no change. managed allows the operations that --allow names, each as KIND:TARGET: firewall.apply:TABLE, network.wireguard:INTERFACE, file.write:PATH (a file, or a directory with all in it), binary.replace:PATH, service.restart:UNIT, and agent.update. The list replaces the earlier one.",
    "Some directories let whoever writes there become root, such as those of units and cron. They can be allowed, with a warning that this equals root. Gatehouse's own files and units never can.",
  ],
  examples: [
    { why: "Watch only", run: "sudo gatehouse-agent ceiling set monitor" },
    {
      why: "Let plans change one firewall table and the configuration of nginx",
      run: "sudo gatehouse-agent ceiling set managed --allow firewall.apply:gatehouse_netguard,file.write:/etc/nginx,service.restart:nginx.service",
    },
  ],
  arguments: { level: { value: "LEVEL", about: "Either monitor or managed." } },
  flags: {
    allow: {
      value: "KIND:TARGET",
      list: true,
      about: "An operation that plans may hold, and on what. Give it again for more.",
    },
    ...rootFlag,
  },
  run: (given, { verbs }) => {
    const { level, allow = [] } = given;
    if (level !== "monitor" && level !== "managed") {
      throw new UsageError(`LEVEL is monitor or managed, not ${JSON.stringify(level)}`, "ceiling set");
    }
    if (level === "monitor" && allow.length > 0)
      throw new UsageError("monitor allows nothing: leave out --allow", "ceiling set");
    if (level === "managed" && allow.length === 0) {
      throw new UsageError("managed needs at least one --allow; to allow nothing is monitor", "ceiling set");
    }
    return verbs.setCeiling({ ...placeOf(given), level, allow });
  },
});
