import type { FaultKind } from "@gatehouse/base";

/** The part of the fault table that only the command line gives: nothing of it is ever sent. */
export const cliFaults = {
  // The command line
  "cli.not_signed_in": {
    kind: "startup",
    title: "Nobody is signed in",
    todo: "Run `gatehouse login`, or set GATEHOUSE_TOKEN.",
  },
  "cli.server_unreachable": {
    kind: "startup",
    title: "The server cannot be reached",
    todo: "Check that it runs, and its address: `gatehouse login --server URL`, or GATEHOUSE_SERVER for a token.",
  },
  "cli.answer_unexpected": {
    kind: "startup",
    title: "The answer is not one of Gatehouse",
    todo: "Check the address; a proxy or another program may answer there.",
  },
  "cli.session_file_unusable": {
    kind: "startup",
    title: "The file that keeps the session cannot be used",
    todo: "Correct what the detail names, or remove the file; then run `gatehouse login`.",
  },
  "cli.no_terminal": {
    kind: "startup",
    title: "There is no terminal to ask on",
    todo: "Pass the password on standard input with --password-stdin, a passphrase with --passphrase-stdin. `plan approve` takes the digest with --yes.",
  },
  "cli.cancelled": {
    kind: "startup",
    title: "The question was not answered",
    todo: "Nothing was sent; run the command again.",
  },
  "cli.exists": {
    kind: "startup",
    title: "Something of that name is there already",
    todo: "Nothing was changed. Choose another name, or move away what is there.",
  },
  "cli.file_not_written": {
    kind: "startup",
    title: "A file cannot be written",
    todo: "Correct what the detail names, for example the rights on the directory, and run the command again.",
  },
  "cli.key_file_unusable": {
    kind: "startup",
    title: "The key file cannot be used",
    todo: "Use a key file of `gatehouse plugin keygen` that is yours, no link, and of mode 0600. If others could read it, make a new key.",
  },
  "cli.passphrase_unacceptable": {
    kind: "startup",
    title: "The passphrase is not accepted",
    todo: "Choose one of at least 12 characters that is not well known. Nothing was written.",
  },
  "cli.digest_differs": {
    kind: "startup",
    title: "The server's agent is not the one that is expected",
    todo: "No code was made. Use a command line and a server of the same release; or compare the digest with the release notes, and give the right one with --digest.",
  },
  "cli.digest_unknown": {
    kind: "startup",
    title: "This command line knows no digest of the agent",
    todo: "Use one of a release, or take the digest from the release notes and give it with --digest. To rely on the server alone, write --trust-server-digest.",
  },
  "cli.node_ambiguous": {
    kind: "startup",
    title: "Several nodes are meant",
    todo: "Nothing was changed. Name the node by its whole id, as `gatehouse node list --json` shows it.",
  },
  "cli.plan_ambiguous": {
    kind: "startup",
    title: "Several plans are meant",
    todo: "Nothing was changed. Name the plan by its whole id, as `gatehouse plan list --json` shows it.",
  },
  "cli.artifact_ambiguous": {
    kind: "startup",
    title: "Several artifacts are meant",
    todo: "Nothing was changed. Name the artifact by its whole id, as `gatehouse artifact list --json` shows it.",
  },
  "cli.artifact_differs": {
    kind: "startup",
    title: "The file is not the one that its facts were signed for",
    todo: "Take the file and its facts from its publisher once more. If you are the publisher, sign the file as it is now.",
  },
  "cli.plan_differs": {
    kind: "startup",
    title: "The server shows another plan than its digest names",
    todo: "Do not go by this plan. Use a command line and a server of one release; if they are, somebody may have changed what the server shows.",
  },
  "cli.host_states_differ": {
    kind: "startup",
    title: "The plan was not made from what the host signed",
    todo: "Do not go by this plan. Make it again; if that shows the same, somebody may have changed what the server shows.",
  },
  "cli.host_takes_none": {
    kind: "startup",
    title: "A host of the plan takes no signed change",
    todo: "Nothing was signed. Leave the host out with --hosts, or let its root decide who may approve there.",
  },
  "cli.host_trust_unsound": {
    kind: "startup",
    title: "The trust file of a host cannot be believed",
    todo: "Nothing was signed. Leave the host out with --hosts, or let its root write the trust file anew.",
  },
  "cli.key_not_known": {
    kind: "startup",
    title: "A host of the plan does not know your key",
    todo: "Nothing was signed. Use another key, leave the host out with --hosts, or give your public key to its root.",
  },
  "cli.approver_key_unusable": {
    kind: "startup",
    title: "The approver's key cannot be used",
    todo: "Give --key the file of an SSH key whose public half lies beside it: `ssh-keygen -y -f KEY > KEY.pub` writes it.",
  },
  "cli.approval_not_joined": {
    kind: "startup",
    title: "The approval cannot be joined",
    todo: "Nothing was signed. See the plan's approvals with `gatehouse plan show PLAN --json`, or approve without --join.",
  },
  "cli.not_confirmed": {
    kind: "startup",
    title: "The plan was not confirmed",
    todo: "Nothing was signed and nothing was sent. Look at the digest again.",
  },
  "cli.signing_failed": {
    kind: "startup",
    title: "The approval was not signed",
    todo: "Nothing was sent. Read what ssh-keygen said; it has to be installed, and to find the private key or an agent that has it.",
  },
  "cli.address_book_unusable": {
    kind: "startup",
    title: "The file that remembers hosts cannot be used",
    todo: "Correct what the detail names. If you remove the file, compare the ids of hosts again before you sign for them.",
  },
  "cli.checkout_needed": {
    kind: "startup",
    title: "The one file cannot do this",
    todo: "Run the command in a checkout, or in the container of the server.",
  },
} as const satisfies Record<string, { kind: FaultKind; title: string; todo: string }>;
