import { join } from "node:path";
import {
  type BurstRate,
  type Environment,
  type ListenAddress,
  readSettings,
  type SettingValues,
  type TrustSource,
} from "@gatehouse/contract/settings";

export { settingsHelp } from "./config/settings-help.ts";

/** What the server was told, checked and named for the code that uses it. Nothing else reads the environment. */
export interface Config {
  readonly listen: ListenAddress;
  readonly dataDir: string;
  readonly masterKeyFile?: string | undefined;
  readonly auditRetentionDays?: number | undefined;
  readonly backupRecipient?: string | undefined;
  readonly publicUrl?: URL | undefined;
  readonly secureCookies: boolean;
  readonly trustProxy: boolean;
  /** CIDR ranges. */
  readonly trustedProxies: readonly string[];
  readonly adminUsername?: string | undefined;
  readonly adminPassword?: string | undefined;
  readonly apiRate: BurstRate;
  readonly signinRate: { readonly perMinute: number };
  readonly logFormat: "text" | "json";
  readonly accessLog: boolean;
  readonly slowRequestMs: number;
  readonly metricsToken?: string | undefined;
  readonly metricsRetentionDays: number;
  readonly hostLogsRetentionDays: number;
  readonly hostLogsMaxGib: number;
  readonly hostLogsBudget: { readonly linesPerSecond: number; readonly behindSeconds: number };
  /** https origins. */
  readonly cspScriptSrc: readonly string[];
  readonly cspConnectSrc: readonly string[];
  /** A template with `{ip}`, or `off`. */
  readonly geoipLookupUrl: string;
  readonly egressCaFile?: string | undefined;
  readonly agentBeatSeconds: number;
  readonly agentWindowSeconds: number;
  readonly pluginDir: string;
  readonly pluginTrust?: TrustSource | undefined;
  readonly marketplaceFile?: string | undefined;
  readonly pluginSandbox: SettingValues["SERVICE_PLUGIN_SANDBOX"];
  /** Times the deadline of an action. */
  readonly pluginDeadlineFactor: number;
  readonly runtimeDir: string;
}

/** Turns `SERVICE_*` into one frozen Config. A bad or unknown variable stops the start (`config.invalid`). */
export function loadConfig(environment: Environment): Config {
  const values = readSettings(environment);
  return Object.freeze({
    listen: Object.freeze(values.SERVICE_LISTEN),
    dataDir: values.SERVICE_DATA_DIR,
    masterKeyFile: values.SERVICE_MASTER_KEY_FILE,
    auditRetentionDays: values.SERVICE_AUDIT_RETENTION_DAYS,
    backupRecipient: values.SERVICE_BACKUP_RECIPIENT,
    publicUrl: values.SERVICE_PUBLIC_URL,
    secureCookies: values.SERVICE_SECURE_COOKIES ?? isHttps(values.SERVICE_PUBLIC_URL),
    trustProxy: values.SERVICE_TRUST_PROXY,
    trustedProxies: Object.freeze(values.SERVICE_TRUSTED_PROXIES),
    adminUsername: values.SERVICE_ADMIN_USERNAME,
    adminPassword: values.SERVICE_ADMIN_PASSWORD,
    apiRate: Object.freeze(values.SERVICE_API_RATE),
    signinRate: Object.freeze({ perMinute: values.SERVICE_SIGNIN_RATE }),
    logFormat: values.SERVICE_LOG_FORMAT,
    accessLog: values.SERVICE_ACCESS_LOG,
    slowRequestMs: values.SERVICE_SLOW_REQUEST_MS,
    metricsToken: values.SERVICE_METRICS_TOKEN,
    metricsRetentionDays: values.SERVICE_METRICS_RETENTION_DAYS,
    hostLogsRetentionDays: values.SERVICE_HOST_LOGS_RETENTION_DAYS,
    hostLogsMaxGib: values.SERVICE_HOST_LOGS_MAX_GIB,
    hostLogsBudget: Object.freeze({
      linesPerSecond: values.SERVICE_HOST_LOGS_LINES_PER_SECOND,
      behindSeconds: values.SERVICE_HOST_LOGS_BEHIND_SECONDS,
    }),
    cspScriptSrc: Object.freeze(values.SERVICE_CSP_SCRIPT_SRC),
    cspConnectSrc: Object.freeze(values.SERVICE_CSP_CONNECT_SRC),
    geoipLookupUrl: values.SERVICE_GEOIP_LOOKUP_URL,
    egressCaFile: values.SERVICE_EGRESS_CA_FILE,
    agentBeatSeconds: values.SERVICE_AGENT_BEAT_SECONDS,
    agentWindowSeconds: values.SERVICE_AGENT_WINDOW_SECONDS,
    pluginDir: values.SERVICE_PLUGIN_DIR,
    pluginTrust: values.SERVICE_PLUGIN_TRUST,
    marketplaceFile: values.SERVICE_MARKETPLACE_FILE,
    pluginSandbox: values.SERVICE_PLUGIN_SANDBOX,
    pluginDeadlineFactor: values.SERVICE_PLUGIN_DEADLINE_FACTOR,
    runtimeDir: values.SERVICE_RUNTIME_DIR ?? join(values.SERVICE_DATA_DIR, "runtime"),
  });
}

export interface ConfigWarning {
  readonly message: string;
  readonly todo: string;
}

/** What an operator may have meant, and should know when the server starts. */
export function warningsOf({ publicUrl, secureCookies }: Pick<Config, "publicUrl" | "secureCookies">) {
  const warnings: ConfigWarning[] = [];
  if (isHttps(publicUrl) && !secureCookies) {
    warnings.push({
      message:
        "SERVICE_SECURE_COOKIES=0: browsers may send session cookies without TLS, though the public URL is https",
      todo: "Remove the setting, or write SERVICE_SECURE_COOKIES=1.",
    });
  }
  return warnings;
}

function isHttps(url: URL | undefined): boolean {
  return url?.protocol === "https:";
}
