import type { Clock } from "@gatehouse/base";
import type { Report } from "@gatehouse/command-line";
import { fault, isFault } from "@gatehouse/contract/faults";
import type { AskPerson } from "../host/ask-person.ts";
import { getPinnedServer, type ServerFilePlace } from "../local/server-file.ts";
import { readKeptHead } from "./judge-head.ts";
import {
  findKeptWitness,
  type KeptWitness,
  putKeptWitness,
  setWitnessAside,
  type WitnessPlace,
} from "./kept-witness.ts";
import { headWords } from "./witness-report.ts";

export interface AcceptHistoryDeps {
  readonly place: WitnessPlace & ServerFilePlace;
  readonly clock: Pick<Clock, "now">;
  readonly show: (line: string) => void;
  /** Undefined where nobody can type. */
  readonly askPerson: AskPerson | undefined;
  readonly isSure: boolean;
}

/** Root's word that the log is to be believed as the server shows it now. What did not fit stays kept, as proof. */
export async function acceptHistory(deps: AcceptHistoryDeps): Promise<Report> {
  const { place, clock } = deps;
  const { key: server } = getPinnedServer(place);
  const kept = readKept(place, server);
  if (kept === "damaged") {
    confirm(deps, [
      "What this host kept of the log cannot be read.",
      "The next head that its server shows is taken on trust.",
    ]);
    await setWitnessAside(place);
    return report("The damaged file is set aside. The next head is taken on trust.", null);
  }
  const trouble = kept?.trouble;
  if (kept === undefined || trouble === null || trouble === undefined || trouble.told === null) {
    throw fault("witness.nothing_refused", "there is no refused head that the server has signed");
  }
  const goesOn = trouble.resumed && kept.held !== null;
  confirm(deps, [
    `Refused since ${new Date(trouble.since).toISOString()}: ${trouble.code}.`,
    `This host holds   ${headWords(kept.held)}`,
    `The server showed ${headWords(trouble.told)}`,
    goesOn
      ? "The server went on from what this host holds: it is kept, and the refusal ends."
      : "From now on this host holds what the server showed: it no longer says that anything of the log is missing or was changed.",
  ]);
  const now = readAgain(place, server, { code: trouble.code, goesOn });
  const next = goesOn ? (now.held as string) : trouble.told;
  await putKeptWitness(place, {
    ...now,
    held: next,
    trouble: null,
    accepted: { at: clock.now(), code: trouble.code },
  });
  return report(`This host holds ${headWords(next)} now.`, readKeptHead(next)?.value.n ?? null);
}

/** While somebody read and typed, the helper may have been shown more: what it kept of that stays, and other trouble was not asked about. */
function readAgain(
  place: WitnessPlace,
  server: Uint8Array,
  asked: { readonly code: string; readonly goesOn: boolean },
): KeptWitness {
  const now = readKept(place, server);
  if (now !== undefined && now !== "damaged" && now.trouble?.code === asked.code) {
    if ((now.trouble.resumed && now.held !== null) === asked.goesOn) return now;
  }
  throw fault("witness.unconfirmed", "what is refused has changed meanwhile: look again");
}

function readKept(place: WitnessPlace, server: Uint8Array): KeptWitness | "damaged" | undefined {
  try {
    return findKeptWitness(place, server);
  } catch (error) {
    if (isFault(error, "witness.damaged")) return "damaged";
    throw error;
  }
}

function confirm({ show, askPerson, isSure }: AcceptHistoryDeps, lines: readonly string[]): void {
  for (const line of lines) show(line);
  if (isSure) return;
  if (askPerson === undefined) throw fault("witness.unconfirmed", "nobody can type here: give --yes");
  if (askPerson("Type yes to accept it: ")?.trim() !== "yes")
    throw fault("witness.unconfirmed", "it was not confirmed");
}

function report(line: string, n: number | null): Report {
  const rest = "The network part tells the server with the next head, or when it connects again.";
  return { ok: true, lines: [line, "The pairs that did not fit stay kept.", rest], json: { accepted: true, n } };
}
