import type { FaultKind } from "@gatehouse/base";

/** The part of the fault table that speaks of bundles, plugins and trust: why one was rejected, and what to do (contract 7). */
export const pluginFaults = {
  // Bundles
  "bundle.name_invalid": {
    kind: "failed",
    title: "The name in the plugin directory is not a plugin id",
    todo: "Name the bundle's directory after the plugin: 2 to 63 of a-z, 0-9 and -.",
  },
  "bundle.not_a_directory": {
    kind: "failed",
    title: "A bundle is a directory",
    todo: "Remove the entry from the plugin directory; a bundle is <plugin id>/ with manifest.json and artifact.",
  },
  "bundle.unexpected_entry": {
    kind: "failed",
    title: "The bundle holds something beside its two files",
    todo: "Keep exactly manifest.json and artifact in the bundle's directory.",
  },
  "bundle.not_a_regular_file": {
    kind: "failed",
    title: "A file of the bundle is not a regular file",
    todo: "Copy the two files themselves into place; links, pipes and devices are never followed.",
  },
  "bundle.hard_link": {
    kind: "failed",
    title: "A file of the bundle has more than one name",
    todo: "Copy the file instead of linking it, so that nobody can change it under another name.",
  },
  "bundle.file_missing": {
    kind: "failed",
    title: "The bundle lacks one of its two files",
    todo: "Place manifest.json and artifact together.",
  },
  "bundle.unreadable": {
    kind: "failed",
    title: "The bundle cannot be read",
    todo: "Make the directory and its two files readable for the user the server runs as.",
  },
  "bundle.manifest_too_large": {
    kind: "failed",
    title: "The manifest is too large",
    todo: "Keep the manifest within 64 KiB.",
  },
  "bundle.artifact_too_large": {
    kind: "failed",
    title: "The artifact is too large",
    todo: "Keep the artifact within 128 MiB.",
  },
  "bundle.changed_while_read": {
    kind: "failed",
    title: "The bundle changed while it was read",
    todo: "Place the whole bundle before the server starts, by renaming its directory into place.",
  },
  "bundle.too_many": {
    kind: "failed",
    title: "There are too many entries in the plugin directory",
    todo: "Keep at most the number of bundles the detail names; remove the others.",
  },
  "bundle.manifest_malformed": {
    kind: "failed",
    title: "The manifest is not strict JSON",
    todo: "Make the manifest with `gatehouse plugin pack PLUGIN.JSON ARTIFACT`; the detail names the place.",
  },
  "bundle.manifest_not_canonical": {
    kind: "failed",
    title: "The manifest is not in its one byte form",
    todo: "Do not edit or reformat a manifest; make it with `gatehouse plugin pack PLUGIN.JSON ARTIFACT` and sign it again.",
  },
  "bundle.schema_unknown": {
    kind: "failed",
    title: "The manifest's schema is not known",
    todo: "Update Gatehouse, or ask the publisher for a bundle of schema 1.",
  },
  "bundle.manifest_invalid": {
    kind: "failed",
    title: "The manifest does not have the expected fields",
    todo: "Ask the publisher to correct the field the detail names and to sign again.",
  },
  "bundle.capability_unknown": {
    kind: "failed",
    title: "The manifest declares a capability that does not exist",
    todo: "Ask the publisher to leave it out; the plugin would never get it.",
  },
  "bundle.id_mismatch": {
    kind: "failed",
    title: "The manifest's id is not the name of its directory",
    todo: "Name the directory after the id in the manifest.",
  },
  "bundle.duplicate_id": {
    kind: "failed",
    title: "Two directories claim the same plugin",
    todo: "Keep one of them: the one whose directory has the plugin's id.",
  },
  "bundle.unsigned": {
    kind: "failed",
    title: "The manifest carries no signature",
    todo: "Ask the publisher for a signed bundle. Nothing unsigned is ever accepted.",
  },
  "bundle.publisher_not_trusted": {
    kind: "failed",
    title: "The trust policy has no matching public key",
    todo: "Verify who the publisher is, then add the public key to the trust policy. Never copy a signing key to the server.",
  },
  "bundle.key_revoked": {
    kind: "failed",
    title: "The bundle is signed with a revoked key",
    todo: "Ask the publisher for a bundle signed with another key.",
  },
  "bundle.key_expired": {
    kind: "failed",
    title: "The bundle is signed with a key that is no longer valid",
    todo: "Ask the publisher for a bundle signed with a newer key, or extend notAfter in the trust policy.",
  },
  "bundle.invalid_signature": {
    kind: "failed",
    title: "A signature does not fit the manifest",
    todo: "Reject the bundle. Rebuild and sign it again from a trusted release workspace.",
  },
  "bundle.threshold_not_met": {
    kind: "failed",
    title: "Too few of the publisher's keys have signed",
    todo: "Ask the publisher for the missing signatures.",
  },
  "bundle.id_outside_prefixes": {
    kind: "failed",
    title: "The publisher may not publish under this id",
    todo: "Widen idPrefixes in the trust policy only if this publisher is meant to own the name.",
  },
  "bundle.capability_beyond_ceiling": {
    kind: "failed",
    title: "The plugin asks for more than its publisher is allowed",
    todo: "Raise the publisher's capabilities in the trust policy only if you want every plugin of this publisher to be able to ask for it.",
  },
  "bundle.runner_not_enabled": {
    kind: "failed",
    title: "The runner the manifest asks for is not enabled",
    todo: "Use a plugin with the runner system; no runner stands in for another.",
  },
  "bundle.host_risk_refused": {
    kind: "failed",
    title: "A host-risk capability needs the runner system",
    todo: "Ask the publisher to use the runner system or to leave the capability out.",
  },
  "bundle.expired": {
    kind: "failed",
    title: "The bundle has expired",
    todo: "Ask the publisher for a newer release.",
  },
  "bundle.digest_revoked": {
    kind: "failed",
    title: "The artifact's digest is revoked",
    todo: "Remove the bundle; the trust policy names these bytes as revoked.",
  },
  "bundle.artifact_digest_mismatch": {
    kind: "failed",
    title: "The artifact is not the one that was signed",
    todo: "Reject and replace the bundle. Never edit the digest in production.",
  },
  "bundle.verifier_failed": {
    kind: "failed",
    title: "The bundle could not be judged",
    todo: "Report the request id or the log line; a bundle that cannot be judged is never trusted.",
  },
  // Plugins
  "plugin.unknown": {
    kind: "unknown",
    title: "There is no such plugin",
    todo: "List the plugins and the rejections; a rejected bundle has no record.",
  },
  "plugin.transition_rejected": {
    kind: "conflict",
    title: "The plugin cannot make this move",
    todo: "Take one of the moves the detail names; a verified bundle is installed before it is activated.",
  },
  "plugin.digest_stale": {
    kind: "conflict",
    title: "The digest is not the one on disk",
    todo: "Read the plugin again and accept the digest that is there, or place the bundle you meant.",
  },
  "plugin.not_available": {
    kind: "conflict",
    title: "The plugin's bundle is not loaded",
    todo: "Place the bundle and restart the server, or disable the plugin.",
  },
  "plugin.downgrade_refused": {
    kind: "conflict",
    title: "The version is below one that was accepted before",
    todo: "Accept it by its digest if you mean it: send artifactSha256 with the request.",
  },
  "plugin.activation_failed": {
    kind: "failed",
    title: "The runner could not arm the plugin",
    todo: "The plugin is disabled. Read the reason, correct the bundle or the runtime's settings, and activate it again.",
  },
  // The sandbox
  "sandbox.too_weak": {
    kind: "failed",
    title: "This host offers less of a sandbox than is accepted",
    todo: "See docs/operate/sandbox.md for what each level needs. Lower SERVICE_PLUGIN_SANDBOX only for plugins you would run without one.",
  },
  "sandbox.runtime_directory_unfit": {
    kind: "failed",
    title: "The runtime directory cannot hold active plugins",
    todo: "Set SERVICE_RUNTIME_DIR to a directory of the server's own, mode 0700, on a mount that lets programs run.",
  },
  "sandbox.launcher_failed": {
    kind: "unavailable",
    title: "Plugins cannot be started",
    todo: "Read the detail and the server's log. The launcher is started again by itself; if it keeps ending, restart the server.",
  },
  "sandbox.staging_failed": {
    kind: "failed",
    title: "The artifact could not be staged",
    todo: "Read the detail; the artifact must be a readable regular file, and the runtime directory must have room for a copy.",
  },
  // Publisher keys
  "key_file.invalid": {
    kind: "startup",
    title: "The key file is not valid",
    todo: "Use a file made by `gatehouse plugin keygen`, unchanged.",
  },
  "key_file.passphrase_wrong": {
    kind: "startup",
    title: "The passphrase does not open the key file",
    todo: "Try the passphrase again. Without it the key is lost: make a new one and have it added to the trust policies.",
  },
  "plugin.not_active": {
    kind: "conflict",
    title: "The plugin is not active",
    todo: "Activate the plugin first; only an active plugin is asked.",
  },
  "plugin.action_failed": {
    kind: "failed",
    title: "The plugin did not answer the action",
    todo: "Read the reason; the plugin's page and the audit log keep it. Its publisher can mend it.",
  },
  "plugin.breaker_open": {
    kind: "limited",
    title: "The plugin failed repeatedly and is left alone for a while",
    todo: "Wait a moment; then one call is tried, and if it succeeds the plugin is asked as before.",
  },
  "plugin.busy": {
    kind: "limited",
    title: "Too many actions run at once",
    todo: "Wait a moment and try again.",
  },
  // Trust
  "trust.invalid": {
    kind: "startup",
    title: "The trust policy is not valid",
    todo: "Correct the place the detail names and try `gatehouse trust check FILE`.",
  },
  "trust.unreadable": {
    kind: "startup",
    title: "The trust policy cannot be read",
    todo: "Set SERVICE_PLUGIN_TRUST to a file the server can read, or unset it: then no publisher is trusted.",
  },
  // The marketplace
  "marketplace.invalid": {
    kind: "startup",
    title: "The marketplace file is not valid",
    todo: "Correct the place the detail names, or unset SERVICE_MARKETPLACE_FILE.",
  },
  "marketplace.unreadable": {
    kind: "startup",
    title: "The marketplace file cannot be read",
    todo: "Set SERVICE_MARKETPLACE_FILE to a file the server can read, or unset it: then the marketplace is empty.",
  },
} as const satisfies Record<string, { kind: FaultKind; title: string; todo: string }>;
