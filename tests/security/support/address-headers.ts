import { joined } from "./joined.ts";
export interface AddressHeaders {
  readonly headers: readonly (readonly [string, string])[];
  /** What a trusted proxy's headers like these say; absent where the peer's own address must stand. */
  readonly believed?: string;
}

/** Headers that other products read, or that look like the ones we do. None of them is ever believed. */
const unread = joined(
  ["Forwarded", "X-Client-IP", "Client-IP", "True-Client-IP", "X-Cluster-Client-IP", "X-Originating-IP", "X-Remote-IP"],
  [
    "X-Remote-Addr",
    "Remote-Addr",
    "X-Forwarded",
    "Forwarded-For",
    "X-ProxyUser-Ip",
    "WL-Proxy-Client-IP",
    "Proxy-Client-IP",
  ],
  ["Fastly-Client-IP", "X-Azure-ClientIP", "X-Appengine-User-IP", "X-Envoy-External-Address", "Ali-CDN-Real-IP", "Via"],
  [
    "X_Forwarded_For",
    "X-Forwarded-For-Original",
    "X-Real-IP-2",
    "CF_Connecting_IP",
    "CF-Connecting-IPv6",
    "CF-Pseudo-IPv4",
  ],
);

/** Values that some parser somewhere takes for an address, and ours must not. */
const noAddresses = joined(
  [
    "127.0.0.1:80",
    "[::1]",
    "[::1]:80",
    '"127.0.0.1"',
    "127.1",
    "0177.0.0.1",
    "0x7f.0.0.1",
    "2130706433",
    "127.0.0.1/8",
  ],
  [
    "127.0.0.01",
    "1.2.3",
    "1.2.3.4.5",
    "256.1.1.1",
    "localhost",
    "unknown",
    "_hidden",
    "-",
    "for=127.0.0.1",
    'for="127.0.0.\\1"',
  ],
  [
    "fe80::1%lo",
    "::1%1",
    "::ffff:127.0.0.1%eth0",
    "1.2.3.4 5.6.7.8",
    "1.2.3.4\t5.6.7.8",
    "1.2.3.4;5.6.7.8",
    "1.2.3.4,",
    ",1.2.3.4",
  ],
  [
    ":::1",
    "::1::",
    "1:2:3:4:5:6:7:8:9",
    "::g",
    "\u00b9.2.3.4",
    "1.2.3.4%00",
    "null",
    "[object Object]",
    "1.2.3.4#",
    "https://1.2.3.4",
  ],
);

/** Every set of headers, with what the product's rule says about it; written down by hand, not computed by the code. */
export function addressHeaderSets(trustedHop: string): readonly AddressHeaders[] {
  const single = ["X-Real-IP", "CF-Connecting-IP"];
  return [
    { headers: [] },
    ...unread.flatMap((name) => [
      { headers: [[name, "127.0.0.1"] as const] },
      { headers: [[name, 'for="127.0.0.\\1";proto=http;by=203.0.113.43'] as const] },
    ]),
    ...single.flatMap((name) => noAddresses.map((value) => ({ headers: [[name, value] as const] }))),
    ...noAddresses
      .filter((value) => !value.includes(","))
      .map((value) => ({ headers: [["X-Forwarded-For", value] as const] })),
    // One address from the proxy itself.
    ...single.map((name) => ({ headers: [[name, "192.0.2.33"] as const], believed: "192.0.2.33" })),
    ...single.map((name) => ({ headers: [[name.toUpperCase(), " 192.0.2.33 "] as const], believed: "192.0.2.33" })),
    ...single.map((name) => ({ headers: [[name, "2001:DB8:0:0::33"] as const], believed: "2001:db8::33" })),
    ...single.map((name) => ({ headers: [[name, "::ffff:192.0.2.33"] as const], believed: "192.0.2.33" })),
    ...single.map((name) => ({ headers: [[name, "::FFFF:c000:0221"] as const], believed: "192.0.2.33" })),
    // Sent twice: one of them came from outside, and nobody knows which.
    ...single.map((name) => ({
      headers: [
        [name, "192.0.2.33"],
        [name, "192.0.2.34"],
      ] as const,
    })),
    ...single.map((name) => ({
      headers: [
        [name, "192.0.2.33"],
        [name, "192.0.2.33"],
      ] as const,
    })),
    {
      headers: [
        ["X-Real-IP", "192.0.2.33"],
        ["CF-Connecting-IP", "192.0.2.34"],
      ],
    },
    {
      headers: [
        ["X-Real-IP", "192.0.2.33"],
        ["CF-Connecting-IP", "192.0.2.33"],
      ],
      believed: "192.0.2.33",
    },
    {
      headers: [
        ["X-Real-IP", "nonsense"],
        ["CF-Connecting-IP", "192.0.2.33"],
      ],
      believed: "192.0.2.33",
    },
    // Beside a chain no single address counts: a proxy that appends passes the visitor's own on.
    ...single.map((name) => ({
      headers: [
        [name, "192.0.2.33"],
        ["X-Forwarded-For", "192.0.2.44"],
      ] as const,
      believed: "192.0.2.44",
    })),
    {
      headers: [
        ["X-Real-IP", "192.0.2.33"],
        ["CF-Connecting-IP", "192.0.2.33"],
        ["X-Forwarded-For", `192.0.2.33, 192.0.2.44, ${trustedHop}`],
      ],
      believed: "192.0.2.44",
    },
    {
      headers: [
        ["X-Real-IP", "192.0.2.33"],
        ["X-Forwarded-For", "192.0.2.33, nonsense"],
      ],
    },
    {
      headers: [
        ["X-Real-IP", "192.0.2.33"],
        ["X-Forwarded-For", ""],
      ],
      believed: "192.0.2.33",
    },
    {
      headers: [
        ["X-Real-IP", "1.1.1.1"],
        ["CF-Connecting-IP", "2.2.2.2"],
        ["X-Forwarded-For", "192.0.2.44"],
      ],
      believed: "192.0.2.44",
    },
    // The chain counts from the right; what stands further left was written by anybody.
    ...[
      "192.0.2.44",
      "127.0.0.1, 192.0.2.44",
      "10.0.0.1,192.0.2.44",
      "::1 , 192.0.2.44",
      "nonsense, 192.0.2.44",
      "1.1.1.1,,192.0.2.44",
    ].map((chain) => ({ headers: [["X-Forwarded-For", chain] as const], believed: "192.0.2.44" })),
    ...[`127.0.0.1, 192.0.2.44, ${trustedHop}`, `9.9.9.9, 192.0.2.44, ${trustedHop}, 198.51.100.3`].map((chain) => ({
      headers: [["X-Forwarded-For", chain] as const],
      believed: "192.0.2.44",
    })),
    // A private address inside the chain is a client like any other: it is not skipped.
    { headers: [["X-Forwarded-For", "192.0.2.44, 10.0.0.1"]], believed: "10.0.0.1" },
    { headers: [["X-Forwarded-For", "192.0.2.44, 127.0.0.1"]], believed: "127.0.0.1" },
    // Behind a hop that is no address nothing is known.
    { headers: [["X-Forwarded-For", `192.0.2.44, nonsense, ${trustedHop}`]], believed: trustedHop },
    { headers: [["X-Forwarded-For", "192.0.2.44, nonsense"]] },
    { headers: [["X-Forwarded-For", `192.0.2.44, ${trustedHop},`]] },
    { headers: [["X-Forwarded-For", `192.0.2.44:80, ${trustedHop}`]], believed: trustedHop },
    { headers: [["X-Forwarded-For", ""]] },
    { headers: [["X-Forwarded-For", ","]] },
    // Two chains are one, in order.
    {
      headers: [
        ["X-Forwarded-For", "127.0.0.1"],
        ["X-Forwarded-For", "192.0.2.44"],
      ],
      believed: "192.0.2.44",
    },
    {
      headers: [
        ["x-forwarded-for", "192.0.2.44"],
        ["X-FORWARDED-FOR", trustedHop],
      ],
      believed: "192.0.2.44",
    },
    // Longer than anybody's chain of proxies: the client cannot hide behind it.
    { headers: [["X-Forwarded-For", `127.0.0.1${`, ${trustedHop}`.repeat(40)}`]], believed: trustedHop },
    { headers: [["X-Forwarded-For", `${"1.1.1.1, ".repeat(200)}192.0.2.44`]], believed: "192.0.2.44" },
    { headers: [["X-Forwarded-For", "::ffff:c000:22c"]], believed: "192.0.2.44" },
    { headers: [["X-Forwarded-For", "2001:DB8::44"]], believed: "2001:db8::44" },
  ];
}
