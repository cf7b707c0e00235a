import { UsageError } from "@gatehouse/command-line";
import type { Surroundings } from "../command.ts";

export const defaultServer = "http://127.0.0.1:8088";

/** The server that is named by an option, else by the environment, else the one on this machine. */
export function chooseServer(named: string | undefined, { environment }: Pick<Surroundings, "environment">): URL {
  const server = parseServer(named ?? (environment["GATEHOUSE_SERVER"] || defaultServer));
  // Node would take any certificate for good, and a password would go to whoever answers.
  if (server.protocol === "https:" && environment["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
    throw new UsageError(
      "NODE_TLS_REJECT_UNAUTHORIZED=0 turns certificate checks off; unset it, and name your own authority in NODE_EXTRA_CA_CERTS",
    );
  }
  return server;
}

/** Passwords and tokens are sent there: https, or plain http that does not leave the machine. */
export function parseServer(text: string): URL {
  const refuse = (problem: string) =>
    new UsageError(
      `the server ${JSON.stringify(text)} ${problem}; write ${defaultServer} or https://gatehouse.example.com`,
    );
  if (/[@\\]/.test(text)) throw refuse("holds a character that no address of a server needs");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) throw refuse("is not an http or https URL");
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "") throw refuse("has something behind its port");
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw refuse("would be spoken to in plain text; plain http is for loopback only");
  }
  return url;
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
