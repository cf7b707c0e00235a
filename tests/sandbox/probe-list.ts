/** Everything a plugin tries: actions of the probe, which is compiled from the C sources here (`-` for `_`). */
export const escapeProbes: Readonly<Record<string, readonly string[]>> = {
  "files and the data directory":
    words(`read-secret read-public read-through-link read-passwd read-above read-by-root-link
    read-inherited list-data list-tmp write-data append-data create-data make-directory make-link make-hard-link make-pipe
    rename-data remove-data truncate-data mode-data mode-data-again owner-data times-data attribute-data new-file-attributes
    watch-data data-by-handle write-anywhere write-own-artifact writes-big-file open-devices`),
  "other processes": words(`proc-environment proc-memory proc-maps proc-root proc-command-lines proc-descriptor-link
    signal-kill signal-everybody signal-thread signal-tkill signal-queue signal-process-descriptor signal-owner
    signal-socket-owner trace read-memory take-descriptor slow-server pin-server idle-server limit-server disk-priority
    compare new-session new-group foreign-child group-of-server session-of-server priority-of-server clock-of-server
    processors-of-server schedule-of-server`),
  "sockets of every family":
    words(`any-socket tcp udp tcp6 raw packet netlink crypto-socket vsock unix-stream unix-docker
    unix-abstract unix-pair own-socket pass-descriptor`),
  "namespaces and mounts":
    words(`new-user-namespace new-network-namespace clone-namespace clone3-namespace join-namespace
    mount-tmpfs remount unmount new-mount clone-mount change-root pivot`),
  "doors of the kernel": words(`ring old-ring add-key read-keys bpf performance page-faults memory-file shared-memory
    message-queue semaphores named-queue fine-timers change-personality kernel-log load-module set-clock set-name stop-host fanotify
    filter-listener become-root set-groups raise-limit type-into-terminal unknown-call x32-call old-call`),
  "memory that no process's size shows":
    words(`shared-pages huge-pages record-locks waiting-locks description-locks file-lock
    flush-disk landlock-rules larger-pipe hide-maps pretend-small`),
  "what it is given": words("environment descriptors rights"),
};

/** The same from inside Node: what a plugin written with the SDK could try. */
export const nodeProbes: readonly string[] =
  words(`node-read node-write node-list node-connect node-listen node-datagram
  node-pipe node-fetch node-child node-kill node-inspector node-report node-environment`);

/** Ends the process that asks, by design: another way into the kernel than the one the filter reads. */
export const endsTheProcess = new Set(["x32-call", "old-call"]);

/** Not tried outside a sandbox for comparison: it would reach processes that are none of the suite's. */
export const notOutside = new Set(["signal-everybody"]);

/** Behaviour that a limit must end, and how each may end. Deadlines are short, so some are met before the limit proper. */
export const behaviours: Readonly<Record<string, readonly string[]>> = {
  sleeps: ["deadline"],
  deaf: ["deadline"],
  burns: ["deadline"],
  "burns-many": ["deadline"],
  bomb: ["killed", "deadline"],
  "thread-bomb": ["killed", "deadline", "memory"],
  "daemon-double": ["exited"],
  "leaves-children": ["exited"],
  "becomes-sleep": ["deadline"],
  floods: ["output"],
  "floods-one-line": ["output"],
  "floods-errors": ["output"],
  drips: ["deadline"],
  "drips-fast": ["deadline", "output"],
  closes: ["deadline"],
  hoards: ["memory", "deadline"],
  "hoards-shared": ["memory", "deadline"],
  "hoards-many": ["memory", "deadline", "killed"],
  "opens-all": ["deadline"],
  "fills-pipes": ["deadline"],
  crashes: ["exited"],
  aborts: ["exited"],
  recurses: ["exited"],
  exits: ["exited"],
  garbage: ["output"],
  answers: ["exited"],
};

/** Crowds that stay within every limit and only keep the scheduler busy, until their deadline. */
export const storms: Readonly<Record<string, readonly string[]>> = {
  naps: ["deadline"],
  yields: ["deadline"],
  ticks: ["deadline"],
  rings: ["deadline"],
  "rings-posix": ["deadline"],
  passes: ["deadline"],
  churns: ["killed", "deadline"],
};

/** Memory that the kernel holds: whoever goes beyond what is allowed, and stays there, is ended so. */
export const endedHoards: Readonly<Record<string, string>> = {
  "takes-pages": "memory",
  "takes-tables": "memory",
  "takes-maps": "memory",
  "takes-pipes": "killed",
  "takes-watches": "killed",
};

/** What can be held at most, in the unit that the probe names: page tables of one process in MiB, timers. */
export const boundedHoards: Readonly<Record<string, number>> = { "tables-of-one": 32, "all-timers": 512 };

function words(text: string): string[] {
  return text.split(/\s+/);
}
