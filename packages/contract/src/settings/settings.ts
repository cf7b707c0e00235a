import { hostLogLimits } from "../host-logs.ts";
import {
  bearerToken,
  burstRate,
  flag,
  listenAddress,
  lookupTemplate,
  oneOf,
  originList,
  password,
  path,
  publicKeyLine,
  publicUrl,
  type Reading,
  rangeList,
  trustPolicy,
  userName,
  type ValueKind,
  wholeNumber,
} from "./setting-values.ts";

export interface Setting<T = unknown> extends ValueKind<T> {
  readonly section: string;
  /** What an unset or empty variable means, in the form in which it would be written. */
  readonly default?: string;
  /** What happens without the variable, where `default` cannot say it. */
  readonly unset?: string;
  readonly meaning: string;
  readonly example: string;
  /** Never printed, not even in the refusal of a bad value. */
  readonly secret?: true;
  /** May hold line ends; in every other value they are a sign of a badly saved file. */
  readonly multiline?: true;
  /** Judged by who uses it, when it is used: later starts ignore it, so they are not refused because of it either. */
  readonly judgedWhenUsed?: true;
  /** Who will use it, while that part does not exist yet. */
  readonly usedBy?: string;
}

const later = (part: string) => `checked at start; used by ${part} from its release on`;

/**
 * Every setting there is (contract 5.1, and ours): the only place where one is named, described and checked. The
 * server's configuration, its `--help` and docs/operate/settings.md are made from this table, in this order.
 */
export const settings = {
  SERVICE_LISTEN: {
    section: "Listening and data",
    ...listenAddress,
    default: "127.0.0.1:8088",
    meaning: "Where the server listens. Plain HTTP: a reverse proxy in front of it ends TLS.",
    example: "127.0.0.1:8088",
  },
  SERVICE_DATA_DIR: {
    section: "Listening and data",
    ...path("directory"),
    default: "./data",
    meaning:
      "Where state.json, state.json.audit-wal, logs.db and master.key live. One directory belongs to one server.",
    example: "/data",
  },
  SERVICE_MASTER_KEY_FILE: {
    section: "Listening and data",
    ...path("file"),
    unset: "master.key in the data directory, made at the first start",
    meaning: "An existing master key to use. Set it only to mount one; a missing file stops the start.",
    example: "/run/secrets/master.key",
  },
  SERVICE_AUDIT_RETENTION_DAYS: {
    section: "Listening and data",
    ...wholeNumber("days", 30, 36_500),
    unset: "every record of the audit log is kept",
    meaning:
      "How long records of the audit log are kept. Older ones are pruned once a day, for ever, and that is on the record; the chain verifies from there on. Export them first, if somebody may ask for them.",
    example: "730",
  },
  SERVICE_BACKUP_RECIPIENT: {
    section: "Listening and data",
    ...publicKeyLine,
    meaning: "The public key to which backups are encrypted.",
    example: "<public key>",
    secret: true,
    usedBy: later("backups"),
  },
  SERVICE_PUBLIC_URL: {
    section: "Public address and proxy",
    ...publicUrl,
    unset: "the server answers for loopback addresses only",
    meaning: "The address under which people reach the dashboard. Any other Host is answered with 421.",
    example: "https://gatehouse.example.com",
  },
  SERVICE_SECURE_COOKIES: {
    section: "Public address and proxy",
    ...flag,
    shape: "1 to enable, 0 to disable",
    unset: "1 when the public URL is https, otherwise 0",
    meaning:
      "Marks cookies Secure, so that browsers send them over HTTPS only; with an https public URL, browsers are also told to use nothing else (Strict-Transport-Security). With 0 and an https public URL the server warns at its start.",
    example: "1",
  },
  SERVICE_TRUST_PROXY: {
    section: "Public address and proxy",
    ...flag,
    default: "0",
    meaning:
      "Takes the client's address from the proxy's headers: the right-most hop of X-Forwarded-For that is no trusted proxy, or CF-Connecting-IP or X-Real-IP where there is no chain. Only when the sole public path is a trusted proxy that sets them correctly.",
    example: "1",
  },
  SERVICE_TRUSTED_PROXIES: {
    section: "Public address and proxy",
    ...rangeList,
    default: "",
    meaning:
      "Proxies beside loopback and private peers that may speak for a client, and hops to skip in the forwarded chain. Needs SERVICE_TRUST_PROXY=1.",
    example: "203.0.113.0/24,2001:db8::/32",
  },
  SERVICE_ADMIN_USERNAME: {
    section: "First administrator",
    ...userName,
    judgedWhenUsed: true,
    meaning: "Name of the account made at the first start. Without effect once any user exists.",
    example: "admin",
  },
  SERVICE_ADMIN_PASSWORD: {
    section: "First administrator",
    ...password,
    judgedWhenUsed: true,
    meaning: "Password of that account. Without effect once any user exists; change the password in the dashboard.",
    example: "<at least 12 random characters>",
    secret: true,
  },
  SERVICE_API_RATE: {
    section: "Limits",
    ...burstRate,
    default: "30,60",
    meaning: "Requests per second, and burst, of one credential, or of one address without a credential.",
    example: "30,60",
  },
  SERVICE_SIGNIN_RATE: {
    section: "Limits",
    ...wholeNumber("attempts per minute", 1, 1_000),
    default: "5",
    meaning: "Sign-in attempts per minute of one address.",
    example: "5",
  },
  SERVICE_LOG_FORMAT: {
    section: "Logs and metrics",
    ...oneOf("text", "json"),
    default: "text",
    meaning: "Form of the server's own log: lines for people, or one JSON object per line.",
    example: "json",
  },
  SERVICE_ACCESS_LOG: {
    section: "Logs and metrics",
    ...flag,
    default: "0",
    meaning: "Logs every request instead of only slow and failed ones.",
    example: "1",
  },
  SERVICE_SLOW_REQUEST_MS: {
    section: "Logs and metrics",
    ...wholeNumber("milliseconds", 1, 600_000),
    default: "1000",
    meaning: "Requests that take longer are logged with the tag SLOW request.",
    example: "1000",
  },
  SERVICE_METRICS_TOKEN: {
    section: "Logs and metrics",
    ...bearerToken,
    unset: "/api/metrics refuses every request",
    meaning: "Bearer token with which /api/metrics may be read.",
    example: "<output of: openssl rand -hex 32>",
    secret: true,
  },
  SERVICE_METRICS_RETENTION_DAYS: {
    section: "Logs and metrics",
    ...wholeNumber("days", 1, 366),
    default: "30",
    meaning:
      "How long what hosts measure is kept, a value a minute; about 12 kB for each host and day. Older values are removed within minutes.",
    example: "90",
  },
  SERVICE_HOST_LOGS_RETENTION_DAYS: {
    section: "Logs and metrics",
    ...wholeNumber("days", 1, 366),
    default: "14",
    meaning: "How long lines that hosts send of their logs are kept. Older ones are removed, a day at a time.",
    example: "30",
  },
  SERVICE_HOST_LOGS_MAX_GIB: {
    section: "Logs and metrics",
    ...wholeNumber("GiB", 1, 10_000),
    default: "5",
    meaning:
      "How much those lines may take with their index. When it is more, the oldest day is removed before its time.",
    example: "50",
  },
  SERVICE_HOST_LOGS_LINES_PER_SECOND: {
    section: "Logs and metrics",
    ...wholeNumber("lines per second", hostLogLimits.linesPerSecond.least, hostLogLimits.linesPerSecond.most),
    default: String(hostLogLimits.linesPerSecond.unsaid),
    meaning:
      "How many lines of its logs one host sends at most. What comes faster waits on the host, and is left out when it has fallen too far behind.",
    example: "50",
  },
  SERVICE_HOST_LOGS_BEHIND_SECONDS: {
    section: "Logs and metrics",
    ...wholeNumber("seconds", hostLogLimits.behindSeconds.least, hostLogLimits.behindSeconds.most),
    default: String(hostLogLimits.behindSeconds.unsaid),
    meaning:
      "How long a log of a host may be behind before the host goes to its end. What it leaves out is counted and shown; the lines stay on the host.",
    example: "60",
  },
  SERVICE_CSP_SCRIPT_SRC: {
    section: "Dashboard",
    ...originList,
    default: "",
    meaning: "Script hosts added to the Content-Security-Policy, for an analytics beacon.",
    example: "https://beacon.example.com",
  },
  SERVICE_CSP_CONNECT_SRC: {
    section: "Dashboard",
    ...originList,
    default: "",
    meaning: "Hosts to which the dashboard's scripts may also send, for that beacon.",
    example: "https://collect.example.com",
  },
  SERVICE_GEOIP_LOOKUP_URL: {
    section: "Dashboard",
    ...lookupTemplate,
    default: "https://ipwho.is/{ip}",
    meaning:
      "Where the fleet map looks up a node's address: public ones only, one a second at most, while somebody looks. off sends no address anywhere; coordinates set by hand never need a lookup.",
    example: "off",
    // A provider's access token often stands in the query.
    secret: true,
  },
  SERVICE_EGRESS_CA_FILE: {
    section: "Dashboard",
    ...path("file"),
    unset: "the usual authorities are believed, and no other",
    meaning:
      "Certificates (PEM) of an authority of your own, believed beside the usual ones for hosts that another setting names, such as a lookup service of your own. Plugins' requests never believe it.",
    example: "/etc/gatehouse/ca.pem",
  },
  SERVICE_AGENT_BEAT_SECONDS: {
    section: "Fleet",
    ...wholeNumber("seconds", 1, 60),
    default: "10",
    meaning:
      "How often an agent says that it is there. Three beats that are missing close its connection, on either side; the node is then offline.",
    example: "10",
  },
  SERVICE_AGENT_WINDOW_SECONDS: {
    section: "Fleet",
    ...wholeNumber("seconds", 1, 600),
    default: "20",
    meaning:
      "Over how long agents spread their return after the server was away; until then nodes that have not come back are unknown, not offline. A large fleet on a small machine wants more.",
    example: "20",
  },
  SERVICE_PLUGIN_DIR: {
    section: "Plugins",
    ...path("directory"),
    default: "./bundles",
    meaning: "Where local plugin bundles lie. Mount it read-only.",
    example: "/plugins",
  },
  SERVICE_PLUGIN_TRUST: {
    section: "Plugins",
    ...trustPolicy,
    unset: "no publisher is trusted",
    meaning:
      "Trust policy: which publisher signs with which public keys. Never holds a signing key, and does not lie in the plugin directory.",
    example: "/etc/gatehouse/plugin-trust.json",
    multiline: true,
  },
  SERVICE_MARKETPLACE_FILE: {
    section: "Plugins",
    ...path("file"),
    unset: "the marketplace is empty",
    meaning: "Metadata of plugins that exist, for the marketplace page. Nothing is downloaded or installed from it.",
    example: "/etc/gatehouse/marketplace.json",
  },
  SERVICE_PLUGIN_SANDBOX: {
    section: "Plugins",
    ...oneOf("namespaces", "landlock", "none"),
    default: "landlock",
    meaning: "The weakest sandbox in which a plugin may run. On a host that offers less, plugins are not started.",
    example: "namespaces",
  },
  SERVICE_PLUGIN_DEADLINE_FACTOR: {
    section: "Plugins",
    ...wholeNumber("times", 1, 20),
    default: "1",
    meaning:
      "How many times its deadline (10 s; 30 s for a plan) a plugin's action may take. More than once only on a host that is busy with other work: plugins have the smallest share of its processors.",
    example: "3",
  },
  SERVICE_RUNTIME_DIR: {
    section: "Plugins",
    ...path("directory"),
    unset: "runtime in the data directory",
    meaning: "Private directory in which active plugins are staged. Programs must be allowed to run from it.",
    example: "/run/gatehouse",
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

export const settingNames = Object.keys(settings) as readonly SettingName[];

type ValueOf<Row> = Row extends { readonly parse: (text: string) => Reading<infer T> }
  ? Row extends { readonly default: string }
    ? T
    : T | undefined
  : never;

/** The checked values, as typed as their parsers. A setting without a default may be absent. */
export type SettingValues = { readonly [Name in SettingName]: ValueOf<(typeof settings)[Name]> };
