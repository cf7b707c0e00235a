/** The artifact of the probes that Node runs: one file, as a plugin of the SDK is one. */
export const nodeProbe = `#!/usr/bin/env node
const fs = require("node:fs");
const net = require("node:net");
const say = (text) => { process.stdout.write(text + "\\n", () => process.exit(0)); };
const escaped = (how) => say("ESCAPED " + how);
const denied = (error) => say("denied " + (error?.cause?.code ?? error?.code ?? error?.message ?? error));
const tries = {
  "node-read": ({ data }) => escaped(fs.readFileSync(data + "/secret", "utf8")),
  "node-write": ({ data }) => { fs.writeFileSync(data + "/made", "x"); escaped("wrote"); },
  "node-list": () => escaped(fs.readdirSync("/proc").join(" ")),
  "node-connect": ({ port }) => net.connect(Number(port), "127.0.0.1").on("connect", () => escaped("connected")).on("error", denied),
  "node-listen": () => net.createServer().listen(0).on("listening", () => escaped("listens")).on("error", denied),
  "node-datagram": ({ port }) => {
    const socket = require("node:dgram").createSocket("udp4");
    socket.on("error", denied);
    socket.send("probe", Number(port), "127.0.0.1", (error) => error ? denied(error) : escaped("sent"));
  },
  "node-pipe": ({ data }) => net.connect(data + "/socket").on("connect", () => escaped("connected")).on("error", denied),
  "node-fetch": ({ port }) => fetch("http://127.0.0.1:" + port).then(() => escaped("fetched"), denied),
  "node-child": ({ data }) => {
    const ran = require("node:child_process").spawnSync("/bin/cat", [data + "/secret"], { stdio: "inherit" });
    ran.status === 0 ? escaped("a child read it") : denied(ran.error ?? "child");
  },
  "node-kill": ({ server }) => { process.kill(Number(server), "SIGUSR2"); escaped("signalled"); },
  "node-inspector": () => { require("node:inspector").open(0, "127.0.0.1"); require("node:inspector").url() ? escaped("listens for a debugger") : denied("no address"); },
  "node-worker": ({ data }) => new (require("node:worker_threads").Worker)("require('node:fs').readFileSync(" + JSON.stringify(data + "/secret") + ")", { eval: true }).on("error", denied).on("exit", (code) => code === 0 && escaped("a thread read it")),
  "node-report": () => { const name = process.report.writeReport("/tmp/gatehouse-probe.json"); fs.existsSync("/tmp/gatehouse-probe.json") ? escaped(name) : denied("nothing written"); },
  "node-environment": () => {
    const more = Object.keys(process.env).filter((name) => !["PATH", "LANG", "HOME", "PWD"].includes(name));
    more.length === 0 ? denied("nothing there") : escaped(more.join(" "));
  },
};
process.stdin.once("data", (part) => {
  const places = Object.fromEntries(part.toString().trim().split(" ").map((word) => word.split("=")));
  try { tries[process.argv[2]](places); } catch (error) { denied(error); }
});
`;
