import { join } from "node:path";
import { runAll } from "@gatehouse/base";
import { type Answer, ask, type Question } from "../acceptance/ask.ts";
import { freshDirectory } from "../acceptance/driver/directories.ts";
import { freePorts, type NginxOptions, startNginx } from "../acceptance/driver/nginx.ts";
import { processDriver } from "../acceptance/driver/process-driver.ts";
import type { RunningServer, Settings } from "../acceptance/driver/server-driver.ts";
import { type Flaw, makeAuthority } from "./authority.ts";
import { serverName } from "./managed-host.ts";
import { serverAddress } from "./wire.ts";

/** What hosts know of the server: an nginx with the shipped site file and TLS, and behind it the server from source. */
export interface Front {
  readonly url: string;
  /** The certificate, in PEM, of the authority that a host has to trust. */
  readonly authority: string;
  /** The server that is running now: its log, its data directory, and its own address on the loopback. */
  readonly server: RunningServer;
  /** What nginx goes by, as `nginx -T` prints it. */
  readonly config: string;
  /** Asks through nginx, as somebody at the server's end of the wire. */
  ask(question: Question | string): Promise<Answer>;
  /** Ends the server and starts it again with the same data at the same place. `meanwhile` somebody has its directory for himself. */
  restartServer(signal?: NodeJS.Signals, meanwhile?: (dataDir: string) => Promise<void>): Promise<void>;
  /** The same, but at another place; nginx is told and reloads. */
  moveServer(): Promise<void>;
  /** Shows another certificate from now on: one with this flaw, or a new good one. */
  showCertificate(flaw?: Flaw): Promise<void>;
  /** Leads to another server, `127.0.0.1:PORT`, or back to ours. */
  leadTo(upstream: string | undefined): Promise<void>;
  close(): Promise<void>;
}

/** Starts both. The settings come on top of those that the site file asks for. */
export async function startFront(settings: Settings = {}): Promise<Front> {
  const directory = freshDirectory();
  const authority = makeAuthority(join(directory, "authority"));
  const url = `https://${serverName}`;
  const start = (listen: string) =>
    processDriver.start({
      dataDir: join(directory, "data"),
      settings: {
        SERVICE_PUBLIC_URL: url,
        SERVICE_SECURE_COOKIES: "1",
        SERVICE_TRUST_PROXY: "1",
        ...settings,
        SERVICE_LISTEN: listen,
      },
    });
  let server = await start("127.0.0.1:0");
  let elsewhere: string | undefined;
  let pair = authority.issue(serverName);
  const place = (): string => new URL(server.baseUrl).host;
  const options = (): NginxOptions => ({
    upstream: elsewhere ?? place(),
    site: { name: serverName, address: serverAddress, httpPort: 80, httpsPort: 443, ...pair },
  });
  const nginx = await startNginx(options()).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  return {
    url,
    authority: authority.certificate,
    config: nginx.config,
    get server() {
      return server;
    },
    ask: (question) => {
      const { headers, ...rest } = typeof question === "string" ? { path: question } : question;
      return ask(nginx.httpsUrl, { ...rest, headers: { Host: serverName, ...headers } });
    },
    restartServer: async (signal, meanwhile) => {
      const listen = place();
      await server.stop(signal);
      await meanwhile?.(join(directory, "data"));
      server = await start(listen);
    },
    moveServer: async () => {
      // Chosen while the old place is still taken.
      const [port] = await freePorts();
      await server.stop();
      server = await start(`127.0.0.1:${port}`);
      await nginx.reload(options());
    },
    showCertificate: async (flaw) => {
      pair = authority.issue(serverName, flaw);
      await nginx.reload(options());
    },
    leadTo: async (upstream) => {
      elsewhere = upstream;
      await nginx.reload(options());
    },
    close: () => runAll([() => nginx.stop(), async () => void (server.isRunning() && (await server.stop()))]),
  };
}
