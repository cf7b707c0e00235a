/**
 * What a container can answer otherwise than a process, sentence by sentence, by the files of `tests/acceptance`. The gate asks these
 * of the image, and everything of a process; the whole form asks everything of both (a test looks for each of them).
 */
export const inContainer: Readonly<Record<string, readonly string[]>> = {
  // The entrypoint starts it, with the image's own defaults.
  "01-service": ["It serves an HTTP JSON API under `/api/`", "every route outside `/api/` gives the same page"],
  // Whose files they are, and with which modes, is the entrypoint's doing.
  "02-data-files": [
    "are there after the first boot, readable by nobody else",
    "`state.json` main state file: after a stop it holds the whole state as JSON",
    "created automatically at first boot, and kept from then on",
    "the four files of one moment are a whole server",
    "without ${name} the start is refused",
    "with --apply the server starts again and the log tells of it",
  ],
  // Plugins run under another sandbox, from a runtime directory that is a mount.
  "03-1-activation": [
    "stages a copy with permission mode 0700 in a private runtime directory",
    "runs each action as a fresh subprocess",
    "with a deadline, at which also what it left in the background ends",
    "without a shell",
    "clears the environment except a fixed safe PATH and an explicit allowlist",
    "caps output size and the number of broker calls",
    "gives the plugin only a capability-scoped broker, never raw server internals",
  ],
  // The site is the one that the image has built.
  "04-1-cache-headers": [
    "`/`, `/login`, any other SPA fallback route: `no-cache`",
    "`/theme-init.js`: `no-cache`",
    "`/assets/*` (content-hashed files): `public, max-age=31536000, immutable`",
    "the names under `/assets/` carry a hash",
    "the page itself needs no exception",
  ],
  // Settings come through the engine and meet those of the image.
  "05-configuration": [
    "a variable that does not exist is refused with the name that was meant",
    "every variable of the table is taken together, with values of its shape",
    "an empty variable counts as unset, as compose files pass it",
    "make the first administrator, also after a start that refused other ones",
    "must be set only to mount an existing key; if it points to a missing file, startup fails (fail closed)",
    "existing master key to use: it is used, and no master.key is made beside the data",
    "not by a server that runs, whatever is asked of it",
    "it needs no setting and starts nothing",
    "the server starts with it empty or filled with what is no bundle",
  ],
  // What a sandbox without namespaces answers.
  "07-plugin-errors": [
    "`artifact digest mismatch`",
    "the server boots whatever lies in the plugin directory, and names each thing it rejected",
    "set but missing or invalid: startup fails with the reason",
  ],
  // Signals come by way of an init.
  "10-stop-and-restart": [
    "finishes the requests under way and ends with 0",
    "takes no new connection while it finishes",
    "starts again on the same directory, and its audit log is whole",
    "a second server on it is refused, and the first goes on",
    "the offline commands keep away from a directory that a server uses",
  ],
  // The image's Node runs them.
  "official-plugins": [
    "are accepted, installed and activated, and both contribute while they are active",
    "gives the same plan for the same question, and its digests are those that anybody computes",
  ],
  "wireguard-network": [
    "has its lines on the map once the hosts have told their keys, and what it used is shown beside what it declares",
  ],
};

/** A pattern for vitest that lets exactly these sentences through. */
export function sentencesPattern(sentences: readonly string[]): string {
  return (
    sentences
      .map((sentence) => sentence.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`))
      // What a test puts into its own sentence may be anything.
      .map((pattern) => pattern.replaceAll(/\\\$\\\{\w+\\\}/g, ".+"))
      .join("|")
  );
}
