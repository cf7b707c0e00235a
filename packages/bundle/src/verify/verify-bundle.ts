import { Fault } from "@gatehouse/base";
import { type FaultCode, faults } from "@gatehouse/contract";
import { sha256 } from "./byte-form.ts";
import { type CheckResult, type CheckStep, type Findings, known, type VerifyInput } from "./judgement.ts";
import type { Manifest } from "./manifest.ts";
import { manifestChecks } from "./manifest-checks.ts";
import { permissionChecks } from "./permission-checks.ts";
import { printable } from "./printable.ts";
import { trustChecks } from "./trust-checks.ts";

/** Every check there is, in order (contract 3.1). A bundle is trusted when each of them has passed, and only then. */
const checkTable = [...manifestChecks, ...trustChecks, ...permissionChecks] as const;

export type CheckName = (typeof checkTable)[number]["name"];
export const checkNames: readonly CheckName[] = checkTable.map((step) => step.name);

export interface Check {
  readonly name: CheckName;
  readonly outcome: "passed" | "failed" | "skipped";
  readonly expected: string;
  readonly found: string;
}

export interface VerifiedBundle {
  readonly manifest: Manifest;
  /** SHA-256 of the signing payload: it covers everything that was signed. */
  readonly payloadSha256: string;
  readonly artifactSha256: string;
  /** Keys of the trust policy that signed. */
  readonly signers: readonly string[];
}

export interface BundleRefusal {
  readonly code: FaultCode;
  readonly title: string;
  readonly detail: string;
  readonly todo: string;
}

export interface Refused {
  readonly accepted: false;
  readonly checks: readonly Check[];
  readonly refusal: BundleRefusal;
  /** Parsed and NOT trusted: for display only. */
  readonly manifest?: Manifest;
}

export type Verdict =
  | { readonly accepted: true; readonly checks: readonly Check[]; readonly bundle: VerifiedBundle }
  | Refused;

/** Judges a bundle that was opened. Never throws: what could not be judged is refused as `bundle.verifier_failed`. */
export const verifyBundle = (input: VerifyInput): Promise<Verdict> => judge(input).catch(() => unjudged);

/** The verdict on a bundle that could not even be opened: `error` is what `openBundle` threw. */
export function refuseUnopened(error: unknown): Refused {
  const finding = findingOf(error);
  const { expected, found } = finding;
  if (finding.code !== "bundle.manifest_too_large") {
    return refuse([{ name: "files", outcome: "failed", expected, found }], finding, {});
  }
  const files = { name: "files", outcome: "passed", expected, found: expected } as const;
  return refuse([files, { name: "manifest-size", outcome: "failed", expected, found }], finding, {});
}

async function judge(input: VerifyInput): Promise<Verdict> {
  const findings: Findings = {};
  const checks: Check[] = [];
  for (const step of checkTable) {
    const finding = await judgeStep(step, input, findings);
    const { passed, expected, found } = finding;
    checks.push({ name: step.name, outcome: passed ? "passed" : "failed", expected, found });
    if (!finding.passed) return refuse(checks, finding, findings);
  }
  return accept(checks, findings);
}

/**
 * The one place where a verdict becomes accepted. It counts the passes against the table itself, so that no early
 * return, skipped check or error before it can stand for one (security class 49).
 */
export function accept(checks: readonly Check[], findings: Findings): Verdict {
  const passed = checks.filter((check) => check.outcome === "passed").map((check) => check.name);
  if (passed.join() !== checkNames.join()) throw new Error("a check is missing");
  const bundle = {
    manifest: known(findings, "manifest"),
    payloadSha256: sha256(known(findings, "payload")),
    artifactSha256: known(findings, "artifactSha256"),
    signers: known(findings, "counted").map(({ key }) => key.id),
  };
  return { accepted: true, checks, bundle };
}

type Failed = Exclude<CheckResult, { passed: true }>;

async function judgeStep(step: CheckStep, input: VerifyInput, findings: Findings): Promise<CheckResult> {
  try {
    return await step.judge(input, findings);
  } catch (error) {
    return findingOf(error);
  }
}

/** A refusal of the file reader keeps its code; anything else was not planned. */
function findingOf(error: unknown): Failed {
  if (error instanceof Fault && isBundleCode(error.code)) {
    return { passed: false, code: error.code, expected: readable, found: error.detail, detail: error.detail };
  }
  const found = error instanceof Error ? `${error.name}: ${printable(error.message, 200)}` : "an unknown error";
  return { passed: false, code: "bundle.verifier_failed", expected: "to be able to judge it", found };
}

const readable = "files that can be read and stay as they are";

function isBundleCode(code: string): code is FaultCode {
  return code.startsWith("bundle.") && Object.hasOwn(faults, code);
}

function refuse(checks: readonly Check[], finding: Failed, { manifest }: Findings): Refused {
  const judged = new Set(checks.map((check) => check.name));
  const skipped = checkNames.filter((name) => !judged.has(name)).map((name) => skip(name));
  return {
    accepted: false,
    checks: [...checks, ...skipped],
    refusal: refusalOf(finding.code, detailOf(finding)),
    ...(manifest === undefined ? {} : { manifest }),
  };
}

function detailOf({ symptom, expected, found, detail }: Failed): string {
  return detail ?? `${symptom === undefined ? "" : `${symptom}: `}expected ${expected}, found ${found}`;
}

function refusalOf(code: FaultCode, detail: string): BundleRefusal {
  const { title, todo } = faults[code];
  return { code, title, detail, todo };
}

function skip(name: CheckName): Check {
  return { name, outcome: "skipped", expected: "", found: "" };
}

/** The verdict when even refusing failed. It is made beforehand, so that giving it needs nothing that could fail. */
export const unjudged: Refused = {
  accepted: false,
  checks: checkNames.map(skip),
  refusal: refusalOf("bundle.verifier_failed", "the verifier failed before it could say why"),
};
