/** A small edit of the sources. */
export interface SourceEdit {
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly old: string;
  readonly new: string;
}

/** A check that an agent has not got; the rows that have to find it. */
export interface Weakness extends SourceEdit {
  readonly name: string;
  /** Where another check stands behind it that says the same. */
  readonly behind?: SourceEdit;
  readonly rows: readonly number[];
}

/** All that is edited for it. */
export function editsOf({ behind, ...first }: Weakness): readonly SourceEdit[] {
  return behind === undefined ? [first] : [first, behind];
}

const judge = "apps/agent/src/tasks";
const checks = "packages/approval/src/verify/approval-checks.ts";
const approvals = "packages/approval/src/verify/judge-approvals.ts";

export const weaknesses: readonly Weakness[] = [
  {
    name: "plan.digest",
    file: `${judge}/judge-plan.ts`,
    old: "if (found !== named) throw",
    new: "if (found === named && found !== named) throw",
    rows: [53, 54],
  },
  {
    name: "plan.index",
    file: `${judge}/judge-plan.ts`,
    old: "if (places.length === 1 && places[0] === index) return;",
    new: "if (places.length > 0) return;",
    rows: [55, 56],
  },
  {
    name: "plan.other_node",
    file: `${judge}/judge-plan.ts`,
    old: "if (section.node !== nodeId) throw",
    new: "if (section.node === nodeId && section.node !== nodeId) throw",
    rows: [57],
  },
  {
    name: "statement.plan",
    file: checks,
    old: "flawUnless(found === planDigest,",
    new: "flawUnless(found === planDigest || found !== planDigest,",
    rows: [68],
  },
  {
    name: "statement.node",
    file: checks,
    old: "hasSection(sections, sectionIndex),",
    new: "hasSection(sections, sectionIndex) || sections.count > 0,",
    rows: [69],
  },
  {
    name: "statement.trust",
    file: checks,
    old: "flawUnless(named.includes(trust.digest),",
    new: "flawUnless(named.length > 0,",
    rows: [82, 152],
  },
  {
    name: "time.expired",
    file: checks,
    old: "flawUnless(latest(clock) <= notAfter,",
    new: "flawUnless(latest(clock) > 0,",
    rows: [121, 124],
  },
  {
    name: "use.spent",
    file: checks,
    old: "flawUnless(!isSpent(approvalId),",
    new: "flawUnless(approvalId.length > 0,",
    behind: {
      file: `${judge}/used.ts`,
      old: "if (list.entries.some(({ approvalId }) => approvalId === used.approvalId)) {",
      new: 'if (list.entries.some(({ approvalId }) => approvalId === used.approvalId && approvalId === "")) {',
    },
    rows: [133, 134, 95],
  },
  {
    name: "signature.invalid",
    file: "packages/approval/src/verify/verify-sshsig.ts",
    old: "if (key.isSigned(bytes, sig.signature)) return;",
    new: "if (key.isSigned(bytes, sig.signature) || bytes.byteLength > 0) return;",
    rows: [91, 97],
  },
  {
    name: "signature.threshold",
    file: approvals,
    old: "if (judged.persons.length < wanted) {",
    new: "if (judged.keyIds.length < wanted) {",
    rows: [77, 78],
  },
  {
    name: "ceiling.path",
    file: `${judge}/judge-ceiling.ts`,
    old: "(isPath ? isWithin(target, place) : target === place)",
    new: "(isPath ? target.startsWith(place) : target === place)",
    rows: [163],
  },
  {
    name: "ceiling.log",
    file: `${judge}/judge-ceiling.ts`,
    old: "protection: findLogProtection(target),",
    new: "protection: undefined,",
    rows: [284],
  },
  {
    name: "ceiling.keep",
    file: `${judge}/judge-ceiling.ts`,
    old: "if (lost !== undefined) throw",
    new: "if (lost !== undefined && operations.length === 0) throw",
    rows: [168],
  },
  {
    name: "ceiling.keep of an interface",
    file: `${judge}/judge-ceiling.ts`,
    old: "if (taken === undefined) continue;",
    new: 'if (taken === undefined || taken.network !== "") continue;',
    rows: [290],
  },
  {
    name: "ceiling.interface",
    file: `${judge}/judge-ceiling.ts`,
    old: "(isPath ? isWithin(target, place) : target === place)",
    new: "(isPath ? isWithin(target, place) : target.startsWith(place.slice(0, 2)))",
    rows: [286],
  },
  {
    name: "read.ceiling",
    file: "apps/agent/src/ceiling/allows-reading.ts",
    old: ": entry.target === target;",
    new: ': entry.target !== "";',
    rows: [287],
  },
  {
    name: "validate.failed of a key",
    file: "apps/agent/src/operations/change-wireguard.ts",
    old: "if (publicKey !== null && publicKey !== key.publicKey)",
    new: 'if (publicKey !== null && publicKey === "")',
    rows: [288],
  },
  {
    name: "path.symlink",
    file: "apps/agent/src/operations/judge-paths.ts",
    old: "if (found?.isSymbolicLink() === true) throw",
    new: 'if (found?.isSymbolicLink() === true && path === "") throw',
    rows: [272],
  },
  {
    name: "state.stale",
    file: `${judge}/judge-task.ts`,
    old: "if (found !== expected) throw",
    new: 'if (found !== expected && found === "") throw',
    rows: [177],
  },
  {
    name: "artifact.signature",
    file: `${judge}/judge-artifacts.ts`,
    old: "if (isSignedBy(loadPublicKey(signer.key, whose), artifactMessage(named), bytes) && isSpelledOnce) return;",
    new: "if (isSpelledOnce) return;",
    rows: [217],
  },
  {
    name: "artifact.publisher",
    file: `${judge}/judge-artifacts.ts`,
    old: "if (keys !== undefined) return keys;",
    new: "if (publisher !== undefined) return keys ?? [...publishers.values()].flat();",
    rows: [219],
  },
  {
    name: "artifact.architecture",
    file: `${judge}/judge-artifacts.ts`,
    old: "if (architecture !== running.architecture) {",
    new: 'if (architecture !== running.architecture && sha256 === "") {',
    behind: {
      file: `${judge}/judge-artifacts.ts`,
      old: "if (foreign === undefined) return;",
      new: 'if (foreign !== "") return;',
    },
    rows: [216],
  },
  {
    name: "artifact.digest",
    file: `${judge}/judge-artifacts.ts`,
    old: "if (found.size === size) continue;",
    new: "if (found.size === size || size > 0) continue;",
    rows: [220],
  },
  {
    name: "ceiling.publisher",
    file: `${judge}/judge-ceiling.ts`,
    old: "if (publishers === undefined || publishers.named.includes(publishers.found)) return;",
    new: 'if (publishers === undefined || publishers.found !== "") return;',
    rows: [218],
  },
  {
    name: "blob.size of an artifact",
    file: `${judge}/open-artifact-inbox.ts`,
    old: "if (offset !== at || end > size) {",
    new: "if (offset !== at && end < 0) {",
    rows: [224],
  },
  {
    name: "read.ceiling of logs",
    file: "apps/agent/src/operations/read-sent-logs.ts",
    old: "if (other !== undefined) throw",
    new: 'if (other?.source === "") throw',
    rows: [294],
  },
  {
    name: "order.signature",
    file: "packages/approval/src/verify/judge-order.ts",
    old: 'if (!isSignedBy(loadPublicKey(scene.server, "the key of the server"), framed, signature)) {',
    new: "if (framed.byteLength === 0) {",
    rows: [48],
  },
];
