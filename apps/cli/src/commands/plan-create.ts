import { randomUUID } from "node:crypto";
import { UsageError } from "@gatehouse/command-line";
import { createPlanRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { getNodeIds } from "../nodes/find-node.ts";
import { fillWish } from "../plans/fill-wish.ts";
import { getPlanId } from "../plans/find-plan.ts";
import { makingLimitMs, readTerms, showMadePlan, termFlags } from "../plans/made-plan.ts";
import { readWish } from "../plans/plan-wish.ts";
import { unsaidLines } from "../plans/wish-operations.ts";
import { checkedAbout } from "../plans/show-plan.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";

const topic = "plan create";

export const planCreate = defineCommand({
  name: topic,
  summary: "make a plan: what a plugin, or you, would change on hosts",
  about: [
    "Asks the hosts what they are like now, and stores what is to be changed as a plan that people can read and review. No host is changed. A plugin draws it up from a recorded input, or you say it with --write, --replace, --restart and --read-log: files are written first, in the order given, then programs replaced, services restarted afterwards, and logs read last. --update-agent is a plan by itself.",
    "A plan that the lint lets pass goes into review, unless --no-review is written. The exit code is 1 if the lint refuses it: the plan is kept as a draft, and what was found is shown. A plan is never changed: make another with --replaces.",
    checkedAbout,
    "It needs the scopes plan:create and plan:read, and node:read for nodes that are named otherwise than by their ids, or where a release is there for two processors.",
    connectionAbout,
  ],
  examples: [
    { why: "Restart a service on one host", run: "gatehouse plan create --restart nginx.service --node web-1" },
    {
      why: "Write a file on every host with a tag, and restart what reads it",
      run: "gatehouse plan create --write /etc/motd=motd.txt --restart ssh.service --tag web --skip-offline",
    },
    {
      why: "Restart a service, and read what it says then",
      run: "gatehouse plan create --restart nginx.service --read-log nginx.service --lines 20 --node web-1",
    },
    {
      why: "Replace a program by one that gatehouse artifact add has brought, and restart its service",
      run: "gatehouse plan create --replace /usr/local/bin/tool=tool@1.2.3 --restart tool.service --tag web",
    },
    {
      why: "Update the agent of hosts, to a release that gatehouse artifact add has brought",
      run: "gatehouse plan create --update-agent gatehouse-agent@1.2.0 --node web-1,web-2",
    },
    {
      why: "Have a plugin draw it up; you reach these hosts from the office",
      run: "gatehouse plan create --plugin netguard --input firewall.json --tag web --management 10.0.0.0/8",
    },
    {
      why: "Join hosts by WireGuard: the input names all of them by id, and each host tells its own key",
      run: "gatehouse plan create --plugin wireguard --input network.json --node web-1 --node web-2",
    },
  ],
  flags: {
    plugin: { value: "ID", about: "The active plugin that draws it up." },
    input: { value: "FILE", about: "What the plugin is asked with: strict JSON. A - is standard input." },
    restart: { value: "UNIT", about: "A systemd service to restart; several by repeating it.", list: true },
    write: {
      value: "PATH=FILE",
      about: "A file to write on the hosts, and the file here that holds its text; several by repeating it.",
      list: true,
    },
    replace: {
      value: "PATH=ARTIFACT",
      about:
        "A program on the hosts, and the artifact to put there: its id, last digits, NAME or NAME@VERSION; several by repeating it.",
      list: true,
    },
    "update-agent": {
      value: "ARTIFACT",
      about:
        "A release that the agent of the hosts becomes. Of one version for two processors it takes the one that the hosts have.",
    },
    "read-log": {
      value: "PATH|UNIT",
      about: "A log whose last lines come back with the result; several by repeating it.",
      list: true,
    },
    lines: { value: "N", about: `How many lines of each log, 1 to 10000. Without it, ${unsaidLines}.` },
    mode: { value: "MODE", about: "The mode of every file that is written. Without it, 0644." },
    owner: { value: "NAME", about: "The owner of every file that is written. Without it, root." },
    group: { value: "NAME", about: "The group of every file that is written. Without it, root." },
    title: { value: "TEXT", about: "What the plan is called. Without it, what it does." },
    summary: { value: "TEXT", about: "Why and what, in a sentence or two. Without it, what it does." },
    node: { value: "NODE", about: "A host it is for: id, last digits or name; several by repeating it.", list: true },
    tag: { value: "TAG", about: "All hosts with this tag; several by repeating it.", list: true },
    ...termFlags,
    replaces: { value: "PLAN", about: "The plan whose place this one takes: its id, or its last digits." },
  },
  run: async (given, surroundings) => {
    const { node: names, tag: tags, replaces } = given;
    if (names === undefined && tags === undefined)
      throw new UsageError("for which hosts: write --node or --tag", topic);
    const terms = readTerms(given, topic);
    const read = await readWish(given, { topic, terminal: surroundings.terminal });
    const connection = await openConnection(surroundings);
    const nodes = names === undefined ? undefined : [...new Set(await getNodeIds(connection, names))];
    const wish = await fillWish(connection, read, { nodes: nodes ?? [], tags: tags ?? [] });
    const { data: plan } = await connection.call(createPlanRoute, {
      // If a proxy sends it twice, one plan is made.
      headers: { "Idempotency-Key": randomUUID() },
      body: {
        ...wish,
        nodes,
        tags: tags === undefined ? undefined : [...new Set(tags)],
        ...terms,
        replaces: replaces === undefined ? undefined : await getPlanId(connection, replaces),
      },
      limitMs: makingLimitMs,
    });
    return showMadePlan(connection, plan);
  },
});
