import type { HostileBody } from "./bodies.ts";
import type { Random } from "../support/random.ts";

const hosts = [
  "Host: evil.example",
  "Host:",
  "Host: localhost\r\nHost: localhost",
  "Host: localhost:99999",
  "Host: localhost@evil.example",
  "Host: [::1",
  "Host: localhost\0",
  "Host: 127.0.0.1.evil.example",
  `Host: ${"a".repeat(3_000)}`,
  "X-No-Host: 1",
];

/** Single headers, each wrong in its own way, or right and useless. */
const strange = [
  "Authorization: Bearer ",
  "Authorization: Bearer gth_0000000000000000_x",
  "Authorization: Basic YWRtaW46YWRtaW4=",
  "Authorization: Bearer a\r\nAuthorization: Bearer b",
  `Authorization: Bearer ${"a".repeat(8_000)}`,
  "Authorization: Bearer \u00e9\0",
  "Cookie: gatehouse=x",
  "Cookie: gatehouse=x; gatehouse=y",
  "Cookie: __Host-gatehouse=x",
  `Cookie: ${"a=b; ".repeat(1_500)}`,
  "Cookie: ;;;===;;",
  "Origin: null",
  "Origin: https://evil.example",
  "Sec-Fetch-Site: cross-site",
  "X-Forwarded-For: 127.0.0.1",
  `X-Forwarded-For: ${"1.1.1.1, ".repeat(1_500)}`,
  'Forwarded: for="127.0.0.\\1";host=evil.example;proto=https',
  "X-Forwarded-Host: evil.example",
  "X-Real-IP: ::1",
  "X-Original-URL: /api/metrics",
  "X-Rewrite-URL: /api/metrics",
  "X-HTTP-Method-Override: DELETE",
  "X-Request-Id: req_forged\u007f",
  "Connection: close, Authorization, Host",
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
  "Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
  "Upgrade: websocket",
  "Connection: keep-alive, keep-alive, close",
  "Expect: 100-continue",
  "Expect: 200-ok",
  "Accept-Encoding: br;q=0, gzip;q=x, *;q=0",
  `Accept-Encoding: ${"br,".repeat(2_000)}`,
  "If-None-Match: *",
  `If-None-Match: ${'"a",'.repeat(2_000)}`,
  "If-Modified-Since: yesterday",
  "Range: bytes=0-18446744073709551615",
  "Last-Event-ID: 99999999999999999999",
  "Last-Event-ID: -1",
  "Content-Encoding: gzip",
  "Content-Encoding: identity",
  "Transfer-Encoding: chunked, identity",
  "Transfer-Encoding: xchunked",
  "Transfer-Encoding : chunked",
  "Content-Length: -1",
  "Content-Length: 99999999999999999999",
  "Content-Length: 1, 1",
  "Content-Length: 0x10",
  "Bad Header: x",
  "No-Colon",
  ": empty name",
  "X: a\r\n folded",
  "X\0Y: z",
  "X-Null: a\0b",
  "X-High: \u00ff\u00fe\u0080",
  "X-CR: a\rb",
  "__proto__: x",
  "constructor: x",
  "TE: trailers",
  "Trailer: Authorization",
  "Max-Forwards: 0",
  "Proxy-Connection: keep-alive",
  "Access-Control-Request-Method: DELETE",
];

export function hostileHeaders(random: Random, body: HostileBody): string[] {
  const lines = [random.chance(0.06) ? random.pick(hosts) : "Host: localhost", ...body.headers];
  // An address of its own: the proxy in front would set it, and limits per address do not end the run.
  if (random.chance(0.9)) lines.push(`X-Real-IP: 198.18.${random.below(256)}.${random.below(256)}`);
  while (random.chance(0.3)) lines.push(random.pick(strange));
  if (random.chance(0.02)) lines.push(`X-Large: ${"a".repeat(random.below(40_000))}`);
  if (random.chance(0.02)) lines.push(...Array.from({ length: random.below(3_000) }, (_, i) => `X${i}: y`));
  if (random.chance(0.03)) lines.push(random.bytes(60));
  if (random.chance(0.1)) lines.sort(() => random.next() - 0.5);
  return lines;
}
