import { UsageError } from "@gatehouse/command-line";
import { approverFlags, approversOf, defineAgentCommand, placeOf, rootFlag } from "./agent-command.ts";

export const trustReset = defineAgentCommand({
  name: "trust reset",
  summary: "replace, as root of this host, those who approve its changes",
  about: [
    "Writes /etc/gatehouse/trust.json anew with the keys that --approver names, whoever stood there before: for a key that is lost or stolen, and for a file that is damaged. It is the whole file: publishers of programs that --publisher does not name again are gone too. You type the end of each fingerprint, as the approver reads it to you. Approvals that were signed for the earlier file no longer count.",
    "The ceiling stays as it is: what may be changed, and whether approvers are asked at all, is set with ceiling set.",
  ],
  examples: [
    {
      why: "Name somebody else",
      run: 'sudo gatehouse-agent trust reset --approver "ssh-ed25519 AAAA… ada"',
    },
    {
      why: "The same from a script",
      run: 'sudo gatehouse-agent trust reset --approver "$(cat ada.pub)" --fingerprint SHA256:…',
    },
  ],
  flags: { ...approverFlags, ...rootFlag },
  run: (given, { verbs }) => {
    const { approver } = given;
    if (approver === undefined) throw new UsageError("name at least one --approver", "trust reset");
    return verbs.resetTrust({ ...placeOf(given), approvers: approversOf({ ...given, approver }) });
  },
});
