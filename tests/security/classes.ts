/** One class of mistake that peers made and that had an advisory, and what we do about it. */
export interface AdvisoryClass {
  readonly number: number;
  /** Part of the test's file name: `NN-name.test.ts`. */
  readonly name: string;
  readonly title: string;
  /** Who made the mistake. Stands for the class; the tests are our own. */
  readonly peers: string;
  readonly status: "tested" | `arrives with ${string}`;
}

const ours = "Gatehouse 0.1.5";

/** All of them. A class is `tested` when it has a file in this folder, and only then; `run.ts` compares the two. */
export const classes: readonly AdvisoryClass[] = [
  // Authorisation, nodes and agents
  row(1, "member-reaches-all-nodes", "A member's call fans out to every node", "Nezha"),
  row(2, "indirect-trigger", "A rule or plan refers to a thing of somebody else", "Nezha"),
  row(3, "future-id", "An id is stored before the thing exists, and somebody else creates it", "Nezha"),
  row(4, "stream-shows-more", "A stream tells more than the routes do", "Nezha, etcd"),
  row(5, "session-by-uuid", "A terminal is taken over by whoever knows its id", "Nezha", "terminals"),
  row(6, "route-without-scope", "A route starts a terminal and checks nothing", "Coolify"),
  row(7, "foreign-ids", "An id of another team is accepted", "Coolify, Beszel, Netmaker"),
  row(8, "handler-after-refusal", "The handler runs although a check before it failed", "Portainer"),
  row(9, "forgotten-family", "A family of endpoints is open because nobody listed it", "Portainer, nginx-ui"),
  row(10, "sibling-field", "A policy is passed by through a sibling field", "Portainer"),
  row(11, "forged-results", "An agent reports results of other agents", "Nezha"),
  row(12, "agent-reads-server", "An agent reads or writes files of the server", "Jenkins"),
  row(13, "host-token", "A host's token is not verified, or works for another host", "Netmaker"),
  row(14, "server-takeover", "Whoever takes over the address takes over the agents", "Rancher, 1Panel"),
  row(
    15,
    "terminal-outlives",
    "A live terminal survives the end of its permission",
    "Argo CD, Mattermost",
    "terminals",
  ),
  row(16, "disabled-user", "A disabled user's tokens go on working", "nginx-ui, Grafana"),
  row(17, "role-race", "Two updates at once give a role to somebody", "NetBird, Grafana"),
  row(18, "token-exceeds-scope", "A token does or mints more than its scope says", "Gitea"),
  row(19, "admin-edits-owner", "An administrator changes somebody above", "Netmaker, Rancher"),
  row(20, "stale-approval", "An approval survives a change of what was approved", "Gitea"),
  row(21, "first-run-claim", "The first visitor becomes the administrator", "nginx-ui"),
  row(22, "one-time-link", "A one-time link is used twice", "Coolify, Omni"),
  row(23, "agent-replay", "A recorded hello of an agent works again", "OpenBao"),
  row(24, "host-takeover", "A user-set host name shadows the console", "Nezha", "storage"),
  // Browser
  row(25, "socket-hijack", "Another site opens a WebSocket as the user", "MeshCentral, Dozzle, Jenkins"),
  row(26, "get-changes-state", "A GET changes something", "Nezha, Tailscale"),
  row(27, "cross-site-request", "Another site's form or fetch makes a change", "Rundeck, 1Panel, Rancher"),
  row(28, "content-type-tricks", "An odd content type gets a body past its checks", "several frameworks"),
  row(29, "session-fixation", "A session id from before the sign-in stays valid", "@fastify/passport"),
  row(30, "foreign-bearer", "A WebSocket takes the bearer token of another user", "Teleport"),
  row(31, "host-header", "Links and redirects are built from the Host header", "Nezha"),
  row(32, "stored-script", "A log line or a name runs as script", "Woodpecker, Grafana"),
  row(33, "crafted-link", "A link with parameters starts an action", "Cockpit"),
  row(34, "clickjacking", "A page can be framed by another site", "several consoles"),
  row(35, "token-in-url", "A token is taken from the URL, and so ends in logs", "Portainer"),
  row(36, "cookie-flags", "A session cookie lacks its flags", "1Panel"),
  // Files and paths
  row(37, "prefix-confusion", "A path that begins like an allowed one leads out of the folder", "Nezha"),
  row(38, "encoded-separators", "The router and the file server decode a path differently", "@fastify/static"),
  row(39, "plugin-assets", "A plugin's asset path leads out of its folder", "Rancher"),
  row(40, "links-in-bundle", "A link inside a bundle is followed", "Portainer, Argo CD"),
  row(41, "archive-slip", "An unpacked archive writes outside its folder", "Portainer, File Browser"),
  row(42, "cleanup-follows-link", "Cleaning up follows a link", "File Browser"),
  row(43, "backup-tampering", "A backup can be altered, or restores code", "nginx-ui", "backups"),
  row(44, "readable-state", "Files with secrets are readable by others", "Grafana, Vault"),
  row(45, "file-expansion", "An argument beginning with @ is read as a file", "Jenkins"),
  // Signatures and supply chain
  row(46, "plugin-signature", "A changed bundle passes its signature check", "Grafana"),
  row(47, "verify-then-swap", "The file is swapped between check and start", "Crossplane"),
  row(48, "rewritten-bytes", "A signature covers bytes that were written anew", "gitsign"),
  row(49, "verifier-fails-open", "An error inside the verifier counts as verified", "gitsign, cosign"),
  row(50, "field-boundaries", "Two different documents have the same signed bytes", "Gitea"),
  row(51, "ambiguous-json", "Two readers understand one JSON text differently", "CouchDB"),
  row(52, "partial-signature", "A used field is not covered by the signature", "several"),
  row(53, "proof-of-another", "A valid proof for something else is accepted", "cosign"),
  row(54, "version-rollback", "An older signed version replaces a newer one", "go-tuf"),
  row(55, "threshold", "One key counts twice towards a threshold", "go-tuf, sigstore-go"),
  row(56, "key-validity", "The time a key is valid for is ignored", "sigstore-go"),
  row(57, "endless-data", "Signed metadata may be of any size", "sigstore-go, Fulcio"),
  row(58, "names-as-paths", "A name in signed metadata is used as a path", "go-tuf, sigstore"),
  row(59, "small-order-keys", "A degenerate public key verifies everything", "older Node versions"),
  row(60, "key-confusion", "A key of one kind is accepted in the place of another", "Teleport"),
  row(61, "constant-keys", "Keys or nonces are constant or derived from constants", "Netmaker, NetBird, Portainer"),
  row(62, "config-reaches-code", "A plugin's settings become code", "Vault, Rundeck"),
  row(63, "tls-unchecked", "A TLS certificate is not checked", "Rancher"),
  row(64, "environment-injection", "The environment reaches a child process", "Teleport"),
  // Network
  row(65, "server-side-request", "The server fetches what a stranger names", "Nezha, Dozzle"),
  row(66, "dns-rebinding", "A name is checked with one address and used with another", "Gitea, Vault"),
  row(67, "redirect-after-check", "A checked address redirects elsewhere", "Gitea, Fulcio"),
  row(68, "transition-addresses", "An IPv4 address hides in an IPv6 one", "Mailpit, Nezha"),
  row(69, "url-case", "Upper case in a scheme or host gets past a check", "Gotenberg"),
  row(70, "spoofed-address", "A client chooses its own address by a header", "1Panel, gin, chi, Fastify, N-central"),
  row(71, "hop-by-hop", "A client makes a header disappear by naming it in Connection", "Rancher"),
  row(72, "guessing-guard", "The guard against guessing passwords is passed by", "Argo CD, OpenBao"),
  row(73, "code-reuse", "A one-time code works twice", "Gitea, OpenBao", "two-factor sign-in"),
  row(74, "proxy-protocol", "The PROXY protocol is taken from anybody", "Teleport"),
  // Secrets, logs and commands
  row(75, "secrets-in-logs", "A secret ends in a log because of its type or its field", "OpenBao, Vault, Rancher"),
  row(76, "secrets-in-lists", "A list shows secrets or password hashes", "Nezha, Gitea, File Browser"),
  row(77, "plain-storage", "Passwords or tokens are kept plain or weakly hashed", "Dozzle, nginx-ui"),
  row(78, "timing", "The time of an answer tells a secret or a user name", "1Panel, OpenBao, Vault"),
  row(79, "terminal-escapes", "Stored output acts on the terminal that shows it", "kubectl, Mattermost, gh"),
  row(80, "line-injection", "A line end in a field makes a second log line", "nginx-ui"),
  row(81, "command-injection", "A field becomes part of a command", "1Panel, Semaphore, Rancher, Coolify"),
  row(82, "look-alike-names", "Two names become one by normalisation", "File Browser, Grafana"),
  // Denial of service and corruption
  row(83, "unbounded-streams", "Streams can be opened without end", "Nezha"),
  row(84, "upgrade-headers", "Malformed upgrade headers crash or stall the server", "ws, Node"),
  row(85, "json-complexity", "Deep or wide JSON stalls the server", "Vault, OpenBao, Rancher"),
  row(86, "decompression-bomb", "A small compressed body becomes a large one", "OpenBao, Rekor"),
  row(87, "slow-patterns", "A pattern takes quadratic or exponential time", "Gitea"),
  row(88, "slow-clients", "Slow clients keep the good ones out", "etcd"),
  row(89, "label-cardinality", "A stranger's text becomes a label of a metric", "Sigstore"),
  row(90, "malformed-log", "A malformed log crashes the start; two processes write one state", "etcd, nginx-ui"),
  row(91, "prototype-pollution", "A JSON key reaches a prototype", "several libraries"),
  // What an attack on our own 0.1.5 found
  row(92, "plugin-takes-memory", "A plugin takes kernel memory that nobody counts", ours),
  row(93, "sign-in-lockout", "One address keeps an account from signing in", ours),
  row(94, "pipelined-streams", "Streams of one connection pass the limit of streams", ours),
  row(95, "power-without-proof", "A stale session raises power without a password", ours),
  row(96, "appended-chain", "A visitor behind a proxy that appends chooses an address", ours),
  row(97, "action-off-the-record", "A plugin acts before anything is on the record", ours),
  row(98, "sign-in-crowd", "A crowd of strangers keeps everybody from signing in", ours),
  row(99, "install-page", "The documented way to install does not work", ours),
  row(100, "idle-connections", "One address takes every connection", ours),
  row(101, "cookie-over-https", "A public HTTPS address gets cookies without Secure", ours),
  row(102, "log-grown-by-strangers", "Strangers grow the audit log, and nothing prunes it", ours),
  row(103, "names-told-apart", "A brake that is forgotten tells users from strangers", ours),
  row(104, "parse-time", "Cheap bodies take the server's time", ours),
  row(105, "supply-chain", "What is shipped is neither pinned nor listed", ours),
  row(106, "landlock-reads", "A plugin sees processes and files that are not its own", ours),
  row(107, "container-limits", "The shipped container has no limit of memory or log", ours),
];

function row(number: number, name: string, title: string, peers: string, arrivesWith?: string): AdvisoryClass {
  const status = arrivesWith === undefined ? "tested" : (`arrives with ${arrivesWith}` as const);
  return { number, name, title, peers, status };
}

export function fileOf({ number, name }: Pick<AdvisoryClass, "number" | "name">): string {
  return `${String(number).padStart(2, "0")}-${name}.test.ts`;
}
