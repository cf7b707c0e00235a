import { createPrivateKey, createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import type { HostRun, RunOnHost } from "../src/host/run-on-host.ts";

/** As `ip` tells it, without what makes no difference. */
interface PretendRoute {
  dst: string;
  protocol?: string;
  metric?: number;
  table?: string;
}

interface PretendLink {
  kind: string;
  mtu: number;
  isUp: boolean;
  addresses: string[];
  routes: PretendRoute[];
  publicKey: string;
  listenPort: string;
  mark: string;
  peers: Map<string, { endpoint: string; allowedIps: string; keepalive: string; preshared: string }>;
}

const good: HostRun = { code: 0, stdout: "", stderr: "" };
const bad = (stderr: string): HostRun => ({ code: 1, stdout: "", stderr });
const json = (value: unknown): HostRun => ({ ...good, stdout: JSON.stringify(value) });

/** A host whose `ip` and `wg` remember what they were told, and read the files that they are given. */
export class PretendInterfaces {
  readonly links = new Map<string, PretendLink>();
  readonly lines: string[] = [];
  /** Whether its kernel knows WireGuard; otherwise wireguard-go is started, and so many of them end at once. */
  hasKernel = true;
  startsInVain = 0;
  /** What programs answer instead, by the beginning of their line. */
  readonly answers = new Map<string, HostRun>();

  add(name: string, more: Partial<PretendLink> = {}): PretendLink {
    const link: PretendLink = {
      kind: this.hasKernel ? "wireguard" : "tun",
      mtu: 1_420,
      isUp: false,
      addresses: [],
      routes: [],
      publicKey: "(none)",
      listenPort: "0",
      mark: "off",
      peers: new Map(),
      ...more,
    };
    this.links.set(name, link);
    return link;
  }

  readonly run: RunOnHost = async (program, args) => {
    const line = [program, ...args].join(" ");
    this.lines.push(line);
    const known = [...this.answers.keys()].find((beginning) => line.startsWith(beginning));
    if (known !== undefined) return this.answers.get(known) ?? good;
    if (program === "ip") return this.#ip(args);
    if (program === "wg") return this.#wg(args);
    if (program === "systemd-run" && args.includes("wireguard-go")) this.#start(args.at(-1) ?? "");
    return good;
  };

  #start(name: string): void {
    if (this.startsInVain === 0) this.add(name);
    else this.startsInVain -= 1;
  }

  #ip(args: readonly string[]): HostRun {
    if (args[0] === "-batch") {
      for (const line of linesOf(args[1] ?? "")) this.#batch(line.split(" "));
      return good;
    }
    const name = args[args.indexOf("dev") + 1] ?? "";
    if (args.includes("add")) {
      if (!this.hasKernel) return { ...bad("Error: Unknown device type.\n"), code: 2 };
      this.add(name);
      return good;
    }
    const link = this.links.get(name);
    if (args.includes("delete")) return this.links.delete(name) ? good : bad(`Cannot find device "${name}"\n`);
    if (link === undefined) return bad(`Device "${name}" does not exist.\n`);
    const { mtu, isUp, kind, addresses, routes } = link;
    if (args.includes("link")) return json([{ mtu, flags: isUp ? ["UP"] : [], linkinfo: { info_kind: kind } }]);
    if (args.includes("address")) {
      const told = addresses
        .map((text) => text.split("/"))
        .map(([local, length]) => ({ local, prefixlen: Number(length) }));
      return json([{ addr_info: told }]);
    }
    const isSix = args.includes("-6");
    const mine = routes.filter(({ dst }) => dst.includes(":") === isSix);
    return mine.length === 0 ? good : json(mine);
  }

  #batch([object, verb, ...rest]: readonly string[]): void {
    const link = this.links.get(rest[rest.indexOf("dev") + 1] ?? "");
    if (link === undefined) throw new Error("no such interface");
    const what = `${object} ${verb}`;
    if (what === "address flush") link.addresses = [];
    else if (what === "address add") link.addresses.push(rest[0] ?? "");
    else if (what === "route add")
      link.routes.push({ dst: (rest[0] ?? "").replace(/\/(32|128)$/, ""), ...metricOf(rest[0] ?? "", 1_024) });
    else if (rest.includes("mtu")) link.mtu = Number(rest.at(-1));
    else {
      link.isUp = rest.at(-1) === "up";
      const ofAddresses = link.addresses.map((dst) => ({ dst, protocol: "kernel", ...metricOf(dst, 256) }));
      link.routes = link.isUp ? ofAddresses : [];
    }
  }

  #wg(args: readonly string[]): HostRun {
    const [verb, name = "", path = ""] = args;
    const link = this.links.get(name);
    if (verb === "--version") return good;
    if (link === undefined) return bad("Unable to access interface: Protocol not supported\n");
    if (verb === "set") link.publicKey = publicHalfOf(readFileSync(args.at(-1) ?? "", "utf8"));
    if (verb === "setconf") configure(link, linesOf(path));
    if (verb !== "show") return good;
    const head = ["the private key", link.publicKey, link.listenPort, link.mark];
    const peers = [...link.peers].map(([key, { preshared, endpoint, allowedIps, keepalive }]) =>
      [key, preshared, endpoint, allowedIps, "1700000000", "148", "92", keepalive].join("\t"),
    );
    return { ...good, stdout: `${[head.join("\t"), ...peers].join("\n")}\n` };
  }
}

/** Of IPv4 none is told where nobody has said one. */
function metricOf(dst: string, metric: number): Pick<PretendRoute, "metric"> {
  return dst.includes(":") ? { metric } : {};
}

function linesOf(path: string): string[] {
  return readFileSync(path, "utf8").split("\n").filter(Boolean);
}

function configure(link: PretendLink, lines: readonly string[]): void {
  link.publicKey = "(none)";
  link.mark = "off";
  link.peers.clear();
  for (const [name, value] of lines.map((line) => line.split(" = "))) {
    const peer = [...link.peers.values()].at(-1);
    if (name === "ListenPort") link.listenPort = value ?? "";
    if (name === "FwMark") link.mark = value ?? "";
    if (name === "PublicKey")
      link.peers.set(value ?? "", { endpoint: "(none)", allowedIps: "(none)", keepalive: "off", preshared: "(none)" });
    if (peer === undefined) continue;
    if (name === "Endpoint") peer.endpoint = value ?? "";
    if (name === "AllowedIPs") peer.allowedIps = (value ?? "").replaceAll(", ", ",");
    if (name === "PersistentKeepalive") peer.keepalive = value ?? "";
  }
}

/** As `wg pubkey` has it. */
function publicHalfOf(text: string): string {
  const head = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 4, 0x22, 4, 0x20];
  const der = Buffer.from([...head, ...Buffer.from(text, "base64")]);
  const key = createPublicKey(createPrivateKey({ key: der, format: "der", type: "pkcs8" }));
  return key.export({ format: "der", type: "spki" }).subarray(-32).toString("base64");
}
