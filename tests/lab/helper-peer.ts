import type { JsonObject } from "@gatehouse/base";
import type { ManagedHost } from "./managed-host.ts";

const place = "/opt/lab/ask-helper";

/** Sends each line of a file to the helper's door as one message, and prints each answer. Perl is the only language that every Debian has. */
const text = `use strict; use warnings; use IO::Socket::UNIX;
my $door = IO::Socket::UNIX->new(Peer => "/run/gatehouse/helper.sock") or die "the door: $!";
sub take { my ($want) = @_; my $all = ""; while (length $all < $want) { sysread($door, $all, $want - length $all, length $all) or die "closed" } $all }
while (my $question = <>) {
  chomp $question;
  print $door pack("N", length $question), $question; $door->flush;
  print take(unpack "N", take(4)), "\\n";
}
`;

export interface HelperQuestion {
  readonly verb: string;
  readonly fields: JsonObject;
}

/** Somebody who has no other right than the network part of the agent. */
export const asNetworkPart = [
  "systemd-run",
  "--quiet",
  "--pipe",
  "--wait",
  "--collect",
  "--property=DynamicUser=yes",
  "--property=SupplementaryGroups=gatehouse",
];

/** Runs a program as somebody who has no other right than the network part of the agent. */
export function runAsNetworkPart(host: ManagedHost, ...words: readonly string[]) {
  return host.run(...asNetworkPart, ...words);
}

/** Asks the helper of a host one thing. */
export async function askHelperOn(host: ManagedHost, verb: string, fields: JsonObject): Promise<JsonObject> {
  const [answer] = await askHelperInTurn(host, [{ verb, fields }]);
  return answer as JsonObject;
}

/** Asks it several things on one connection, each once the one before was answered. */
export async function askHelperInTurn(host: ManagedHost, asked: readonly HelperQuestion[]): Promise<JsonObject[]> {
  const lines = asked.map(({ verb, fields }, at) => JSON.stringify({ ...fields, v: 1, id: at + 1, verb }));
  // Two may ask at once, and neither may find what the other is writing.
  const own = `${place}-${(asks += 1)}`;
  const [script, file] = [`${own}.pl`, `${own}.questions`];
  await host.write(script, text);
  await host.write(file, `${lines.join("\n")}\n`);
  const { code, stdout, stderr } = await runAsNetworkPart(host, "perl", script, file);
  if (code !== 0) throw new Error(`on ${host.name} the helper did not answer: ${stderr}`);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as JsonObject);
}

let asks = 0;
