import { parseAddress, parseRange } from "../address-range.ts";
import { passwordLimits } from "../password-rules.ts";
import { usernameForm } from "../username.ts";

/** What a parser says: the typed value, or what it would have taken instead. An empty refusal means "what the shape says". */
export type Reading<T> = { readonly value: T } | Refusal;
export interface Refusal {
  readonly expected?: string;
  /** The value to write, when it can be guessed better than by the example. */
  readonly write?: string;
}

/** A kind of value: its shape in words, and the parser that means the same. They stand together so that they agree. */
export interface ValueKind<T> {
  readonly shape: string;
  readonly parse: (text: string) => Reading<T>;
}

const refused: Refusal = {};

/** Contract 5.1 enables with `1`. Anything that is neither `1` nor `0` is refused: `true` must not silently mean "off". */
export const flag: ValueKind<boolean> = {
  shape: "1 to enable, 0 or empty to disable",
  parse: (text) => {
    if (text === "1" || text === "0") return { value: text === "1" };
    return { write: /^(true|yes|on|enabled?)$/i.test(text) ? "1" : "0" };
  },
};

export function wholeNumber(unit: string, least: number, most: number): ValueKind<number> {
  const shape = `whole ${unit} from ${least} to ${most}`;
  return { shape, parse: (text) => readWhole(text, least, most) };
}

export function oneOf<const W extends string>(...words: readonly W[]): ValueKind<W> {
  const shape = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
  return {
    shape,
    parse: (text) => {
      const value = words.find((word) => word === text);
      return value === undefined ? refused : { value };
    },
  };
}

export function path(what: "file" | "directory"): ValueKind<string> {
  return { shape: `path of a ${what}`, parse: (text) => ({ value: text }) };
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export const listenAddress: ValueKind<ListenAddress> = {
  shape: "address:port, with an IP address or localhost, and a port from 0 (any free one) to 65535",
  parse: (text) => {
    const match = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+|localhost)):([0-9]+)$/i.exec(text);
    const host = match?.[1] ?? match?.[2] ?? "";
    const port = readWhole(match?.[3] ?? "", 0, 65_535);
    const bytes = parseAddress(host === "localhost" ? "127.0.0.1" : host);
    if (!("value" in port) || bytes?.length !== (match?.[1] === undefined ? 4 : 16)) return refused;
    return { value: { host, port: port.value } };
  },
};

const hostName = "(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*";
/** Host names are matched by hand because a URL parser lets `;`, `'` and `,` stand in one, and these speak in a CSP. */
const origin = new RegExp(`^https?://(?:${hostName}|\\[[0-9a-f:.]+\\])(?::[0-9]{1,5})?$`, "i");

export const publicUrl: ValueKind<URL> = {
  shape: "https://host or https://host:port, without path, query or credentials",
  parse: (text) => {
    const url = parseOrigin(text.replace(/\/$/, ""));
    if (url === undefined) return refused;
    if (url.protocol === "https:" || isLoopback(url)) return { value: url };
    return {
      expected: "an https URL (http only for a loopback address)",
      write: url.href.replace(/^http:(.*)\/$/, "https:$1"),
    };
  },
};

export const originList: ValueKind<readonly string[]> = {
  shape: "https origins, separated by spaces or commas",
  parse: (text) => {
    const origins = splitList(text).map(parseOrigin);
    const secure = origins.filter((url) => url?.protocol === "https:");
    if (secure.length !== origins.length) return refused;
    return { value: [...new Set(secure.map((url) => url?.origin ?? ""))] };
  },
};

export const rangeList: ValueKind<readonly string[]> = {
  shape: "IP addresses or CIDR ranges, separated by spaces or commas",
  parse: (text) => {
    const ranges: string[] = [];
    for (const item of splitList(text)) {
      const parsed = parseRange(item);
      if ("problem" in parsed)
        return { expected: `IP addresses or CIDR ranges, but ${JSON.stringify(item)} ${parsed.problem}` };
      ranges.push(parsed.range);
    }
    return { value: [...new Set(ranges)] };
  },
};

export interface BurstRate {
  readonly perSecond: number;
  readonly burst: number;
}

export const burstRate: ValueKind<BurstRate> = {
  shape: "requests per second and burst as two whole numbers, 1 to 100000, the burst not the smaller one",
  parse: (text) => {
    const [first = "", second = "", ...rest] = text.split(",");
    const perSecond = readWhole(first, 1, 100_000);
    const burst = readWhole(second, 1, 100_000);
    if (rest.length > 0 || !("value" in perSecond) || !("value" in burst)) return refused;
    if (burst.value < perSecond.value) return refused;
    return { value: { perSecond: perSecond.value, burst: burst.value } };
  },
};

export const lookupTemplate: ValueKind<string> = {
  shape: "off, or an https URL with {ip} in its path or query, without credentials",
  parse: (text) => {
    if (text === "off") return { value: text };
    // Filled twice with different addresses, the template may not lead to two hosts.
    const [a, b] = ["192.0.2.1", "2001:db8::1"].map((ip) => URL.parse(text.replaceAll("{ip}", encodeURIComponent(ip))));
    if (!text.includes("{ip}") || !a || !b || a.protocol !== "https:" || a.host !== b.host) return refused;
    return a.username === "" && a.password === "" && a.hash === "" && a.href !== b.href ? { value: text } : refused;
  },
};

export const userName: ValueKind<string> = {
  shape: "1 to 63 of a-z 0-9 . _ -, beginning with a letter or digit",
  parse: (text) => (usernameForm.test(text) ? { value: text } : refused),
};

export const password: ValueKind<string> = {
  shape: `${passwordLimits.least} to ${passwordLimits.most} characters, long and random`,
  parse: (text) => {
    if (/^<.*>$/.test(text)) return { expected: "a password of your own, not the placeholder of an example" };
    // Weakness beyond length is judged with the name, when the account is made.
    const length = Array.from(text).length; // Code points, not UTF-16 units.
    const { least, most } = passwordLimits;
    return length >= least && length <= most
      ? { value: text }
      : { expected: `${least} to ${most} characters, not ${length}` };
  },
};

export const bearerToken: ValueKind<string> = {
  shape: "32 to 512 characters of A-Z a-z 0-9 - . _ ~ + / =",
  parse: (text) => (/^[\w.~+/=-]{32,512}$/.test(text) ? { value: text } : refused),
};

/** Inline JSON stays the text it was: who reads it as a policy must see a key that is written twice. */
export type TrustSource = { readonly file: string } | { readonly inline: string };

export const trustPolicy: ValueKind<TrustSource> = {
  shape: "path of a JSON file, or the JSON object itself",
  parse: (text) => {
    if (!text.trimStart().startsWith("{")) return /[\r\n]/.test(text) ? refused : { value: { file: text } };
    try {
      JSON.parse(text);
      return { value: { inline: text } };
    } catch (failure) {
      return { expected: `valid JSON (${failure instanceof Error ? failure.message : "unreadable"})` };
    }
  },
};

export const publicKeyLine: ValueKind<string> = {
  shape: "public key on one line of at most 4096 characters",
  parse: (text) => {
    if (/private key|secret-key/i.test(text))
      return { expected: "the public key; a secret key must never reach the server" };
    return text.length <= 4096 ? { value: text } : refused;
  },
};

function readWhole(text: string, least: number, most: number): Reading<number> {
  if (!/^(0|[1-9][0-9]{0,14})$/.test(text)) return refused;
  const value = Number(text);
  return value >= least && value <= most ? { value } : refused;
}

function splitList(text: string): string[] {
  return text.split(/[\s,]+/).filter((item) => item !== "");
}

function parseOrigin(text: string): URL | undefined {
  return origin.test(text) ? (URL.parse(text) ?? undefined) : undefined;
}

function isLoopback(url: URL): boolean {
  return url.hostname === "localhost" || url.hostname === "[::1]" || parseAddress(url.hostname)?.[0] === 127;
}
