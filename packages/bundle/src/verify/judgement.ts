import type { Json } from "@gatehouse/base";
import type { FaultCode, RunnerName } from "@gatehouse/contract";
import type { Manifest } from "./manifest.ts";
import type { OpenBundle } from "./open-bundle.ts";
import type { TrustedKey, TrustedPublisher, TrustPolicy } from "./trust-policy.ts";

/** What is judged, and against what. */
export interface VerifyInput {
  readonly bundle: OpenBundle;
  readonly policy: TrustPolicy;
  readonly now: number;
  /** Runners that are switched on; `system` alone unless told. None stands in for another (contract 3.1). */
  readonly enabledRunners?: ReadonlySet<RunnerName>;
}

/** What the checks have learned so far. A check that needs what no check before it found fails instead of guessing. */
export interface Findings {
  value?: Json;
  manifest?: Manifest;
  publisher?: TrustedPublisher;
  /** Keys of the publisher that signed and may still count, each with its signature. */
  counted?: readonly Signer[];
  payload?: Uint8Array;
  artifactSha256?: string;
}

export interface Signer {
  readonly key: TrustedKey;
  readonly signature: Uint8Array;
}

export type CheckResult =
  | { readonly passed: true; readonly expected: string; readonly found: string }
  | {
      readonly passed: false;
      readonly expected: string;
      readonly found: string;
      readonly code: FaultCode;
      /** Stands before "expected … found …": a symptom of contract 7, or the place in the manifest. */
      readonly symptom?: string;
      /** Stands in place of "expected … found …" when the refusal already has its words. */
      readonly detail?: string;
    };

export interface CheckStep {
  readonly name: string;
  readonly judge: (input: VerifyInput, findings: Findings) => CheckResult | Promise<CheckResult>;
}

export function pass(expected: string, found: string): CheckResult {
  return { passed: true, expected, found };
}

export function fail(code: FaultCode, expected: string, found: string, symptom?: string): CheckResult {
  return { passed: false, code, expected, found, ...(symptom === undefined ? {} : { symptom }) };
}

/** What an earlier check found. Without it nothing can be judged, so this throws and the bundle is refused. */
export function known<Name extends keyof Findings>(findings: Findings, name: Name): Exclude<Findings[Name], undefined> {
  const value = findings[name];
  if (value === undefined) throw new Error(`no check has found ${name}`);
  return value as Exclude<Findings[Name], undefined>;
}
