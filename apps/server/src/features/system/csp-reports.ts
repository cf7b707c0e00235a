/** What a browser blocked, cut to what helps to find the cause. */
export interface BlockedContent {
  readonly directive: string;
  readonly blocked: string;
  readonly page: string;
  readonly count: number;
  readonly lastAt: number;
}

export interface CspReports {
  add(body: unknown, now: number): void;
  total(): number;
  /** The newest distinct ones, newest first. */
  recent(): readonly BlockedContent[];
}

const keptReports = 20;
const longestText = 200;

/**
 * Counts reports and keeps the last distinct ones in memory. Anybody can send them, so nothing is written to disk and
 * nothing of a report is kept whole.
 */
export function openCspReports(): CspReports {
  let total = 0;
  const kept = new Map<string, BlockedContent>();
  return {
    add: (body, now) => {
      for (const report of reportsIn(body)) {
        total += 1;
        const key = `${report.directive} ${report.blocked} ${report.page}`;
        const count = (kept.get(key)?.count ?? 0) + 1;
        kept.delete(key);
        kept.set(key, { ...report, count, lastAt: now });
        const [oldest] = kept.keys();
        if (kept.size > keptReports && oldest !== undefined) kept.delete(oldest);
      }
    },
    total: () => total,
    recent: () => [...kept.values()].toReversed(),
  };
}

type Report = Pick<BlockedContent, "directive" | "blocked" | "page">;

/** Both forms in use: `{"csp-report": {…}}` with dashes, and a list of `{type, body: {…}}` in camel case. */
function reportsIn(body: unknown): Report[] {
  const list = Array.isArray(body) ? body : [body];
  return list.flatMap((item) => {
    const old = field(item, "csp-report");
    if (isObject(old)) {
      const directive = field(old, "effective-directive") ?? field(old, "violated-directive");
      return [report(directive, field(old, "blocked-uri"), field(old, "document-uri"))];
    }
    const current = field(item, "body");
    if (field(item, "type") !== "csp-violation" || !isObject(current)) return [];
    return [report(field(current, "effectiveDirective"), field(current, "blockedURL"), field(current, "documentURL"))];
  });
}

function report(directive: unknown, blocked: unknown, page: unknown): Report {
  return { directive: word(directive), blocked: place(blocked), page: place(page) };
}

/** `script-src-elem`, `inline`, `eval`: a short plain word, or nothing. */
function word(value: unknown): string {
  return typeof value === "string" && /^[a-z][a-z-]{0,40}$/.test(value) ? value : "";
}

/** Origin and path of an address. What follows may hold a secret, and other schemes may hold anything. */
function place(value: unknown): string {
  if (typeof value !== "string" || value.length > 4_096) return "";
  const url = URL.parse(value);
  if (url === null) return word(value);
  if (url.protocol !== "https:" && url.protocol !== "http:") return url.protocol;
  return `${url.origin}${url.pathname}`.slice(0, longestText);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function field(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
