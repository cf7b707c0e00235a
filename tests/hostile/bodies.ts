import type { Random } from "../support/random.ts";

export interface HostileBody {
  readonly headers: readonly string[];
  readonly bytes: string;
  /** Fewer bytes than its headers say. */
  readonly isShort: boolean;
}

const types = [
  "application/json",
  "application/json; charset=utf-8",
  "application/json;charset=utf-16",
  "application/json, text/plain",
  "APPLICATION/JSON",
  "application/csp-report",
  "application/reports+json",
  "application/problem+json",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json; charset=utf-8; charset=utf-8",
  "application/json\t;x",
  "",
  "/",
  `application/${"x".repeat(2_000)}`,
  "application/json\0",
];

const texts: readonly (() => string)[] = [
  () => "{}",
  () => "[]",
  () => "null",
  () => "",
  () => '{"username":"admin","password":"admin"}',
  () => '{"username":"hostile-admin","password":"wrong"}',
  () => `{"username":"${"a".repeat(300)}","password":"b"}`,
  () => '{"username":"\u202eadmin\u0000","password":"b"}',
  () => '{"currentPassword":"x","newPassword":"y"}',
  () => '{"name":"x","scopes":["plugin:admin"]}',
  () => '{"username":"x","password":"correct horse battery","role":"owner"}',
  () => '{"csp-report":{"blocked-uri":"inline"}}',
  () => '{"csp-report":{"blocked-uri":"\\u0000\\n<script>","document-uri":"javascript:1"}}',
  () => '{"id":"x","status":"active"}',
  () => '{"__proto__":{"admin":true}}',
  () => '{"constructor":{"prototype":{"admin":true}}}',
  () => '{"a":1,"a":2}',
  () => '{"a":1e999}',
  () => '{"a":99999999999999999999}',
  () => '"\\ud800"',
  () => "\u00ef\u00bb\u00bf{}",
  () => "{} trailing",
  () => "{",
  () => '{"a":',
  () => "[".repeat(100_000),
  () => '{"a":'.repeat(50_000),
  () => `[${"1,".repeat(200_000)}1]`,
  () => `{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":1`).join(",")}}`,
  () => `{"a":"${"\\u0041".repeat(100_000)}"}`,
  () => `"${"\\".repeat(60_000)}`,
  () => "\u00ff\u00fe\u0000{\u0000}",
  () => "a=b&c=d",
  () => "x".repeat(1_100_000),
  () => `{"a":"${"x".repeat(17_000)}"}`,
  () => "\u001f\u008b\u0008\0\0\0\0\0",
];

const none: HostileBody = { headers: [], bytes: "", isShort: false };

export function hostileBody(random: Random, method: string): HostileBody {
  if (method === "GET" || method === "HEAD" ? random.chance(0.9) : random.chance(0.2)) return none;
  const text = random.chance(0.1) ? random.bytes(2_000) : random.pick(texts)();
  const type = random.chance(0.95)
    ? [`Content-Type: ${random.chance(0.5) ? "application/json" : random.pick(types)}`]
    : [];
  if (random.chance(0.15)) return chunked(random, text, type);
  const says = random.chance(0.06) ? Math.max(0, text.length + random.below(2_000) - 1_000) : text.length;
  return { headers: [...type, `Content-Length: ${says}`], bytes: text, isShort: says > text.length };
}

function chunked(random: Random, text: string, type: readonly string[]): HostileBody {
  const headers = [...type, "Transfer-Encoding: chunked"];
  const size = text.length.toString(16);
  const whole = [`${size}\r\n${text}\r\n0\r\n\r\n`, `${size};ext=1\r\n${text}\r\n0\r\nTrailer: x\r\n\r\n`];
  const broken = [
    `${size}\r\n${text}\r\n`,
    `zz\r\n${text}\r\n0\r\n\r\n`,
    `-1\r\n${text}\r\n0\r\n\r\n`,
    `ffffffffffffffff\r\n${text}\r\n0\r\n\r\n`,
    `${size}\n${text}\n0\n\n`,
    `${size};${"e".repeat(20_000)}\r\n${text}\r\n0\r\n\r\n`,
  ];
  const isShort = text.length === 0 || random.chance(0.5);
  return { headers, bytes: random.pick(isShort ? broken : whole), isShort };
}
