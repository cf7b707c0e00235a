import { useMay } from "../../api/auth.ts";
import { Link } from "../../ui/Link.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import type { Broken } from "../../widgets/chain-verdict.ts";
import type { Disbelief } from "../../widgets/disbelief.ts";
import styles from "./AuditPage.module.css";
import { countHosts } from "./chain-drawing.ts";
import { disbeliefTitle } from "./disbelief-words.ts";
import { type Chain, countDisbelief } from "./use-chain.ts";

/** The verdict in one sentence under the title. A host that saw another log is said before everything that the log says of itself. */
export function ChainSentence({ chain }: { readonly chain: Chain }) {
  const { asked, check, witnesses, verdict, ends, disbelief } = chain;
  const rebuilt = check.data?.rebuilt ?? null;
  return (
    <div className={styles.broken} role="status">
      {asked.isPending && <StateMark state="run" word="Checking every link of the chain" />}
      {disbelief !== undefined && <Disbelieved disbelief={disbelief} refuse={countDisbelief(chain)} end={ends?.head} />}
      {verdict.kind === "broken" && <BrokenChain broken={verdict.broken} />}
      {verdict.kind === "checking" && <StateMark state="run" word="The server checks the whole log since its start" />}
      {disbelief === undefined && (verdict.kind === "verified" || verdict.kind === "asked") && (
        <StateMark state="ok" word={wholeWords(chain)} />
      )}
      {rebuilt !== null && (
        <span>
          <StateMark state="warn" word={`${rebuilt.file} was edited or damaged`} />{" "}
          <span className={styles.none}>
            Search at #{rebuilt.position.toLocaleString("en-GB")} was not what the entries say, and was made anew from
            them. {rebuilt.todo}
          </span>
        </span>
      )}
      {asked.isError && <ApiErrorView error={asked.error} title="The chain was not verified" size="inline" />}
      {check.isError && verdict.kind === "unknown" && (
        <ApiErrorView error={check.error} title="What the server checked could not be read" size="inline" />
      )}
      {witnesses.isError && (
        <ApiErrorView error={witnesses.error} title="What hosts hold of the log could not be read" size="inline" />
      )}
    </div>
  );
}

interface DisbelievedProps {
  readonly disbelief: Disbelief;
  readonly refuse: number;
  readonly end: number | undefined;
}

function Disbelieved({ disbelief: { first }, refuse, end }: DisbelievedProps) {
  const mayLook = useMay("node:read");
  const more = refuse - 1;
  return (
    <span>
      <StateMark state="bad" word={disbeliefTitle(first, end)} />{" "}
      <span>
        {mayLook ? (
          <Link href={`/nodes/${first.node}`} look="quiet">
            {first.name}
          </Link>
        ) : (
          first.name
        )}{" "}
        knew first
        {first.since !== null && (
          <>
            , <Time at={first.since} />
          </>
        )}
        {more > 0 && `; ${countHosts(more)} more refuse${more === 1 ? "s" : ""} it too`}.
      </span>
    </span>
  );
}

function BrokenChain({ broken: { file, position, expected, found, todo } }: { readonly broken: Broken }) {
  return (
    <>
      <StateMark state="bad" word={`Chain broken at #${position.toLocaleString("en-GB")}, in ${file}`} />
      <span>
        Expected <code>{expected}</code>, found <code>{found}</code>. {todo}
      </span>
    </>
  );
}

function wholeWords({ witnesses: { data } }: Pick<Chain, "witnesses">): string {
  if (data === undefined) return "Whole.";
  const { agree, behind, refuse, silent } = data.summary;
  const know = agree + behind;
  if (know === 0) return "Whole, as far as this server says. Nobody else tells of this log now.";
  const all = know + refuse + silent;
  return `Whole, and the same log that ${know === all ? "" : `${know.toLocaleString("en-GB")} of `}${countHosts(all)} ${all === 1 ? "has" : "have"} seen.`;
}
