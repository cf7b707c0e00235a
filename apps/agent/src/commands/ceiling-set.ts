import { UsageError } from "@gatehouse/command-line";
import { approverFlags, approversOf, defineAgentCommand, placeOf, rootFlag } from "./agent-command.ts";
import type { CeilingRequest } from "./verbs.ts";

export const ceilingSet = defineAgentCommand({
  name: "ceiling set",
  summary: "decide, as root of this host, what may be changed on it",
  about: [
    "Writes /etc/gatehouse/ceiling.json and tells systemd which directories the helper may write at all: what is not named here stays read-only for it, whatever a plan or a server says. Nothing on a server can raise it.",
    "monitor allows no change. managed allows the operations that --allow names, each as KIND:TARGET: firewall.apply:TABLE, network.wireguard:INTERFACE, file.write:PATH (a file, or a directory with all in it), binary.replace:PATH or binary.replace:PATH=PUBLISHER (programs that a publisher of the trust file has signed, or that one alone), service.restart:UNIT, and agent.update. The list replaces the earlier one.",
    "Whose word counts is said here and nowhere else. With --approver, one SSH public key for each person, a change counts when they have signed it: the keys go into /etc/gatehouse/trust.json, and you type the end of each fingerprint, as the approver reads it to you. Take a key from its owner, never from a page or from the server. With --server-trusted the server's word is enough. A host with neither takes no change; leaving both out keeps what was said before.",
    "With --read-log, plans may also read the last lines of logs: a file, all files of a directory, or the journal of a unit. What they read leaves this host. Gatehouse's own files never can be read, nor anything over a link.",
    "With --logs, the host itself sends every line that these logs get to its server, which keeps them, also when nothing may be changed on it: single files, and the journal of services, 16 at most. An agent of an earlier version takes a ceiling with such a list for none: it changes nothing until it is set again.",
    "Some directories let whoever writes there become root, such as those of units and cron. They can be allowed, with a warning that this equals root. Gatehouse's own files and units never can.",
  ],
  examples: [
    { why: "Watch only", run: "sudo gatehouse-agent ceiling set monitor" },
    {
      why: "Let plans change one firewall table and the configuration of nginx",
      run: "sudo gatehouse-agent ceiling set managed --allow firewall.apply:gatehouse_netguard,file.write:/etc/nginx,service.restart:nginx.service",
    },
    {
      why: "Let them do so when Ada has signed, and never close SSH to the office",
      run: 'sudo gatehouse-agent ceiling set managed --allow file.write:/etc/nginx --keep tcp/22:192.0.2.0/24 --approver "ssh-ed25519 AAAA… ada"',
    },
    {
      why: "Let them also replace a program by one that acme has signed",
      run: 'sudo gatehouse-agent ceiling set managed --allow binary.replace:/usr/local/bin/tool=acme --publisher acme=KEY --approver "$(cat ada.pub)"',
    },
    {
      why: "Let them also read what nginx says after a restart",
      run: "sudo gatehouse-agent ceiling set managed --allow service.restart:nginx.service --read-log nginx.service --read-log /var/log/nginx",
    },
    {
      why: "Change nothing, and send two logs to the server as they are written",
      run: "sudo gatehouse-agent ceiling set monitor --logs nginx.service --logs /var/log/nginx/error.log",
    },
  ],
  arguments: { level: { value: "LEVEL", about: "Either monitor or managed." } },
  flags: {
    allow: {
      value: "KIND:TARGET",
      list: true,
      about: "An operation that plans may hold, and on what. Give it again for more.",
    },
    ...approverFlags,
    "server-trusted": { about: "Take the server's word: whoever has it can change what --allow lists." },
    keep: {
      value: "PROTOCOL/PORT:NETWORK",
      list: true,
      about: "What every firewall table has to leave open; tcp/22 from everywhere, unless given.",
    },
    "read-log": {
      value: "PATH|UNIT",
      list: true,
      about: "A log that plans may read. Give it again for more; none takes all away. Without it, as before.",
    },
    logs: {
      value: "UNIT|PATH",
      list: true,
      about:
        "A service or a file whose lines are sent to the server. Give it again for more; none takes all away. Without it, as before.",
    },
    ...rootFlag,
  },
  run: (given, { verbs }) => verbs.setCeiling({ ...placeOf(given), ...readWanted(given) }),
});

interface GivenCeiling {
  readonly level: string;
  readonly allow?: readonly string[];
  readonly approver?: readonly string[];
  readonly fingerprint?: readonly string[];
  readonly publisher?: readonly string[];
  readonly "server-trusted"?: true;
  readonly keep?: readonly string[];
  readonly "read-log"?: readonly string[];
  readonly logs?: readonly string[];
}

function readWanted(given: GivenCeiling): Omit<CeilingRequest, "root"> {
  const { level, allow = [], approver, keep } = given;
  const isServer = given["server-trusted"] === true;
  const sent = given.logs === undefined ? {} : { sendLogs: logsIn(given.logs, "logs") };
  if (level !== "monitor" && level !== "managed")
    throw usage(`LEVEL is monitor or managed, not ${JSON.stringify(level)}`);
  if (level === "monitor") {
    const flags = ["allow", "approver", "fingerprint", "publisher", "server-trusted", "keep", "read-log"] as const;
    const surplus = flags.find((name) => given[name] !== undefined);
    if (surplus !== undefined) throw usage(`monitor allows nothing: leave out --${surplus}`);
    return { level, allow, ...sent };
  }
  if (allow.length === 0) throw usage("managed needs at least one --allow; to allow nothing is monitor");
  if (approver !== undefined && isServer) throw usage("give --approver or --server-trusted, not both");
  for (const flag of ["fingerprint", "publisher"] as const) {
    if (approver === undefined && given[flag] !== undefined) throw usage(`--${flag} belongs to --approver`);
  }
  return {
    level,
    allow,
    ...(keep === undefined ? {} : { keep }),
    ...(given["read-log"] === undefined ? {} : { readLogs: logsIn(given["read-log"], "read-log") }),
    ...sent,
    ...(isServer ? { accepts: "server" } : {}),
    ...(approver === undefined ? {} : { accepts: "signed", approvers: approversOf({ ...given, approver }) }),
  };
}

function logsIn(logs: readonly string[], flag: "logs" | "read-log"): readonly string[] {
  if (!logs.includes("none")) return logs;
  if (logs.length > 1) throw usage(`--${flag} none takes all away: give no other`);
  return [];
}

function usage(problem: string): UsageError {
  return new UsageError(problem, "ceiling set");
}
