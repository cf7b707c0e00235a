import { findAddress, sshState } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { makeStateGround } from "../../test/state-ground.ts";
import { readSshState } from "./read-ssh-state.ts";
import { configuredPorts, connectedPeers, listeningPorts, socketPorts } from "./ssh-listings.ts";

/** As the programs of Debian 12 and 13 print it. */
const configured = `port 22
port 2222
addressfamily any
listenaddress [::]:22
listenaddress 192.0.2.1:2200
listenaddress 0.0.0.0:22
usepam yes
logingracetime 120
x11displayoffset 10
permitopen any
ipqos lowdelay throughput
`;
const sockets = `Id=ssh.socket
ActiveState=active
Listen=0.0.0.0:2022 (Stream)
Listen=[::]:2023 (Stream)
Listen=/run/ssh.sock (Stream)
Listen=vsock::22 (Stream)

Id=sshd.socket
ActiveState=inactive
Listen=[::]:4444 (Stream)
`;
const listening = `LISTEN 1      128    0.0.0.0:22   0.0.0.0:*
LISTEN 2      128          *:2022       *:*
LISTEN 0      4096   127.0.0.53%lo:53  0.0.0.0:*
LISTEN 0      128    [::]:2200   [::]:*
LISTEN 0      511    0.0.0.0:80   0.0.0.0:*  users:(("nginx",pid=7,fd=6))
`;
const established = `0      0               192.0.2.1:22            198.51.100.7:57754
0      0      [::ffff:192.0.2.1]:2022 [::ffff:203.0.113.9]:32918
0      0                   [::1]:2022              [::1]:48954
0      0           [fe80::1]%eth0:22       [fe80::0:7]%eth0:51000
0      36              192.0.2.1:22            198.51.100.7:57755
0      0               192.0.2.1:80            198.51.100.8:57755
0      0               192.0.2.1:51422         198.51.100.9:22
0      0               127.0.0.1:22               127.0.0.1:40000
`;

test("sshd tells its ports and the ports of its addresses", () => {
  expect(configuredPorts(configured)).toEqual([22, 2222, 22, 2200, 22]);
  expect(configuredPorts("")).toEqual([]);
});

test("a socket of systemd counts while it is active, by its ports of the network", () => {
  expect(socketPorts(sockets)).toEqual([2022, 2023]);
  expect(socketPorts("Id=ssh.socket\nActiveState=active\n")).toEqual([]);
});

test("what listens is found whatever its address looks like", () => {
  expect(listeningPorts(listening)).toEqual([22, 2022, 53, 2200, 80]);
});

test("peers are those of these ports, each once, in the one spelling of plans", () => {
  const peers = connectedPeers(established, [22, 2022]);
  expect(peers).toEqual(["127.0.0.1", "198.51.100.7", "203.0.113.9", "::1", "fe80::7"].toSorted());
  for (const peer of peers) expect(findAddress(peer)).toBeDefined();
  expect(connectedPeers("rubbish\n\n0 0 x:22 y:1\n", [22])).toEqual([]);
});

const answers = {
  "/usr/sbin/sshd -T": { stdout: configured },
  "systemctl show ssh.socket sshd.socket --property=Id,ActiveState,Listen": { stdout: sockets },
  "ss -Htln": { stdout: listening },
  "ss -Htn state established": { stdout: established },
};

test("a host tells on which ports its SSH server is reached, and who is connected", async () => {
  const { ground, write, lines } = makeStateGround(answers);
  write("/usr/sbin/sshd", "");
  const state = await readSshState(ground, "ssh");
  expect(state).toMatchObject({ ports: [22, 2022, 2200] });
  expect(sshState.safeParse(state).success).toBe(true);
  expect(lines.at(-1)).toBe("ss -Htn state established ( sport = :22 or sport = :2022 or sport = :2200 )");
});

test("a host without an SSH server has no ports, and nothing is started to find out", async () => {
  const { ground, lines } = makeStateGround(answers);
  expect(await readSshState(ground, "ssh")).toEqual({ ports: [], peers: [] });
  expect(lines).toEqual([]);
});

test("a server that does not run is reached at the sockets of systemd alone", async () => {
  const stderr = "Missing privilege separation directory: /run/sshd\n";
  const { ground, write } = makeStateGround({ ...answers, "/usr/sbin/sshd -T": { code: 255, stderr } });
  write("/usr/sbin/sshd", "");
  expect(await readSshState(ground, "ssh")).toMatchObject({ ports: [2022] });
});

test("a port on which nobody listens is none", async () => {
  const { ground, write } = makeStateGround({ ...answers, "ss -Htln": { stdout: "" } });
  write("/usr/sbin/sshd", "");
  expect(await readSshState(ground, "ssh")).toEqual({ ports: [], peers: [] });
});

test("a server whose settings are broken, or a host that cannot be asked, is unreadable and not open", async () => {
  for (const [line, answer] of [
    ["/usr/sbin/sshd -T", { code: 255, stderr: "/etc/ssh/sshd_config: line 3: Bad configuration option: x" }],
    ["ss -Htln", undefined],
    [
      "systemctl show ssh.socket sshd.socket --property=Id,ActiveState,Listen",
      { code: 1, stderr: "Failed to connect to bus" },
    ],
  ] as const) {
    const { ground, write } = makeStateGround({ ...answers, [line]: answer });
    write("/usr/sbin/sshd", "");
    await expect(readSshState(ground, "ssh"), line).rejects.toThrow(/^state\.unreadable/);
  }
});

test("hundreds of peers are told up to as many as an answer holds", async () => {
  const many = Array.from({ length: 300 }, (_, at) => `0 0 192.0.2.1:22 198.51.${100 + (at >> 8)}.${at & 255}:1000`);
  const { ground, write } = makeStateGround({ ...answers, "ss -Htn state established": { stdout: many.join("\n") } });
  write("/usr/sbin/sshd", "");
  const state = await readSshState(ground, "ssh");
  expect(state?.["peers"]).toHaveLength(256);
  expect(sshState.safeParse(state).success).toBe(true);
});
