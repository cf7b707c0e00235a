import type { JsonObject } from "@gatehouse/base";
import type { ManagedHost } from "./managed-host.ts";

const script = "/opt/lab/ask-helper.pl";
const question = "/opt/lab/question";

/** Sends a file to the helper's door as one message, and prints the answer. Perl is the only language that every Debian has. */
const text = `use strict; use warnings; use IO::Socket::UNIX;
local $/; my $question = <>;
my $door = IO::Socket::UNIX->new(Peer => "/run/gatehouse/helper.sock") or die "the door: $!";
print $door pack("N", length $question), $question; $door->flush;
sub take { my ($want) = @_; my $all = ""; while (length $all < $want) { sysread($door, $all, $want - length $all, length $all) or die "closed" } $all }
print take(unpack "N", take(4));
`;

/** Asks the helper of a host one thing, as somebody who has no other right than the network part of the agent. */
export async function askHelperOn(host: ManagedHost, verb: string, fields: JsonObject): Promise<JsonObject> {
  await host.write(script, text);
  await host.write(question, JSON.stringify({ ...fields, v: 1, id: 1, verb }));
  const rights = ["--property=DynamicUser=yes", "--property=SupplementaryGroups=gatehouse"];
  const unit = ["systemd-run", "--quiet", "--pipe", "--wait", "--collect", ...rights];
  const { code, stdout, stderr } = await host.run(...unit, "perl", script, question);
  if (code !== 0) throw new Error(`on ${host.name} the helper did not answer: ${stderr}`);
  return JSON.parse(stdout) as JsonObject;
}
