import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, RequestListener } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, connect, isIP, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Authority {
  /** Its own certificate, for whoever shall believe it. */
  readonly ca: string;
  issue(hosts: readonly string[], days?: number): { readonly key: string; readonly cert: string };
}

/** A certificate authority of the test's own. */
export function makeAuthority(): Authority {
  const own = makeCertificate(["-subj", "/CN=test authority", "-days", "3"]);
  return {
    ca: own.cert,
    issue: (hosts, days = 2) => {
      const names = `subjectAltName=${hosts.map((host) => `${isIP(host) === 0 ? "DNS" : "IP"}:${host}`).join(",")}`;
      const subject = ["-subj", `/CN=${hosts[0] ?? "nobody"}`, "-addext", names, "-days", String(days)];
      return makeCertificate([...subject, "-addext", "basicConstraints=critical,CA:FALSE"], own);
    },
  };
}

function makeCertificate(options: readonly string[], issuer?: { readonly key: string; readonly cert: string }) {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-certificate-"));
  const [key, cert, ca] = [join(directory, "key.pem"), join(directory, "cert.pem"), join(directory, "ca.pem")];
  try {
    const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    if (issuer !== undefined) writeFileSync(ca, `${issuer.cert}${issuer.key}`);
    const by = issuer === undefined ? [] : ["-CA", ca, "-CAkey", ca];
    execFileSync("openssl", ["req", ...kind, ...options, ...by, "-keyout", key, "-out", cert], { stdio: "pipe" });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Opens a connection to an address, as the server's own does. */
type ConnectHere = (to: {
  readonly address: string;
  readonly port: number;
  readonly signal: AbortSignal;
}) => Promise<Socket>;

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface TlsPeer extends AsyncDisposable {
  readonly port: number;
  readonly seen: readonly SeenRequest[];
  /** Connections that were opened, with or without a handshake. */
  connections(): number;
  /** Leads every address here, and keeps which ones were asked for. */
  readonly connect: ConnectHere;
  readonly asked: readonly string[];
}

/** A real HTTPS server on loopback, in the place of the world. */
export async function startTlsPeer(
  certificate: { readonly key: string; readonly cert: string },
  answer: RequestListener,
): Promise<TlsPeer> {
  const seen: SeenRequest[] = [];
  const asked: string[] = [];
  let connections = 0;
  const server = createServer(certificate, (request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.once("end", () => {
      seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
      answer(request, response);
    });
  });
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    seen,
    asked,
    connections: () => connections,
    connect: async ({ address, port: wanted, signal }) => {
      asked.push(`${address}:${wanted}`);
      const socket = connect({ host: "127.0.0.1", port });
      await once(socket, "connect", { signal });
      return socket.on("error", () => undefined);
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
