import { until } from "../support/until.ts";
import { lookMs } from "./change-on-host.ts";
import { labInterface } from "./lab-wireguard.ts";
import type { ManagedHost } from "./managed-host.ts";

const program = "/usr/bin/wireguard-go";

/** What a unit of an interface may write to. */
const directory = "/run/wireguard";
const socket = `${directory}/${labInterface}.sock`;

/**
 * Has its socket for a while before that listens: the first time for as long as somebody's `wg` looks at it, which removes it; after that until
 * it is let. Then the real program takes the socket and goes on.
 */
const script = `#!/usr/bin/perl
use POSIX;
use Socket;
$^F = 255;
exec "${program}.real", @ARGV if $ARGV[0] =~ /^-/;
socket(my $door, PF_UNIX, SOCK_STREAM, 0) or die;
bind($door, sockaddr_un("/var${socket}")) or die "bind: $!";
if (-e "${directory}/was-early") {
  select(undef, undef, undef, 0.05) until -e "${directory}/open";
} else {
  system "wg show ${labInterface} dump > ${directory}/was-early 2>&1";
}
listen($door, 16) or die;
# The number that it has in the background too: the real one goes there with the words for both.
POSIX::dup2(fileno $door, 4);
$ENV{WG_UAPI_FD} = 4;
exec "${program}.real", @ARGV;
`;

/** Puts one before the wireguard-go of a host. */
export async function slowDoor(host: ManagedHost): Promise<void> {
  await host.shell(`mv ${program} ${program}.real`);
  await host.write(program, script, "755");
}

/** The second that was started has its socket, and its unit is not there yet. */
export async function untilDoorWaits(host: ManagedHost): Promise<void> {
  const state = `systemctl show --property ActiveState --value gatehouse-wireguard-${labInterface}.service`;
  const waits = `test -e ${directory}/was-early && test -S ${socket} && test "$(${state})" = activating`;
  const isWaiting = async () => (await host.run("sh", "-c", waits)).code === 0;
  await until(`a wireguard-go waits on ${host.name}`, isWaiting, lookMs);
}

export async function openDoor(host: ManagedHost): Promise<void> {
  await host.shell(`touch ${directory}/open`);
}

export async function usualDoor(host: ManagedHost): Promise<void> {
  await host.shell(`mv ${program}.real ${program}`);
}
