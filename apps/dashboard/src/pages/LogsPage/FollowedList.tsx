import { useEffect, useEffectEvent } from "react";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { mostFollowed } from "./followed-lines.ts";
import { LogTable } from "./LogTable.tsx";
import styles from "./LogsPage.module.css";
import { countLines } from "./say-logs.ts";
import type { LogListProps } from "./SearchedList.tsx";
import { useFollowedLines } from "./use-followed-lines.ts";

/** Less is an unsteady hand. */
const scrolledPx = 40;

/** Lines as they arrive. Whoever scrolls or chooses one reads: the page stands still then, and counts what waits. */
export function FollowedList(props: LogListProps & { readonly isPaused: boolean }) {
  const { filter, wanted, address, nameOf, isPaused, onChoose, onShow } = props;
  const { followed, step, trouble, retry } = useFollowedLines(filter, wanted.query, isPaused);
  const { standing, waitingCount, rows } = followed;
  const isChosen = address.line !== undefined;
  useEffect(() => {
    if (isChosen) step({ kind: "stand", why: "chose" });
  }, [isChosen, step]);
  useEffect(() => {
    const onScroll = (): void => {
      if (window.scrollY > scrolledPx) step({ kind: "stand", why: "scrolled" });
    };
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => window.removeEventListener("scroll", onScroll);
  }, [step]);
  const showAll = (): void => {
    window.scrollTo({ top: 0 });
    step({ kind: "show" });
    if (isChosen) onShow({ line: undefined });
  };
  const onHome = useEffectEvent((event: KeyboardEvent) => {
    const isElsewhere =
      event.target instanceof Element && event.target.closest("input, dialog, [role=slider]") !== null;
    if (event.key === "Home" && standing !== undefined && !isElsewhere) showAll();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onHome(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  if (!followed.hasBegun && trouble !== undefined) {
    return <ApiErrorView error={trouble.error} title="The lines could not be read" onRetry={retry} />;
  }
  if (!followed.hasBegun) return <Skeleton shape="rows" count={12} columns={5} label="Reading lines" />;
  return (
    <div className={standing === undefined ? undefined : styles.standing}>
      {trouble !== undefined &&
        (trouble.isLate ? (
          <Banner state="warn" live title="The server does not answer.">
            The lines stand still; it is asked again every few seconds.
          </Banner>
        ) : (
          <ApiErrorView error={trouble.error} title="Following has stopped" size="inline" onRetry={retry} />
        ))}
      {standing !== undefined && (
        <p className={styles.waiting} role="status">
          <Mark state="run" />
          <span>
            <b>{waitingCount === 0 ? "No new line" : countNew(waitingCount)}</b>{" "}
            {waitingCount === 1 || waitingCount === 0 ? "waits" : "wait"} above, because you{" "}
            {standing === "chose" ? "chose a line" : "scrolled"}. The page stands still until you ask.
          </span>
          <Button look="bare" size="small" onClick={showAll}>
            {waitingCount === 0 ? "Go on" : "Show them"}
          </Button>
          <Kbd keys={["Home"]} />
        </p>
      )}
      {rows.length === 0 ? (
        <p className={styles.end} role="status">
          No line yet. What hosts write stands here within seconds.
        </p>
      ) : (
        <LogTable {...{ rows, wanted, nameOf, onChoose }} chosen={address.line} />
      )}
      {followed.hasGone && (
        <p className={styles.end}>
          This page holds the newest {countLines(mostFollowed)}; older ones have gone from it. Search finds them.
        </p>
      )}
    </div>
  );
}

function countNew(lines: number): string {
  return countLines(lines).replace(" line", " new line");
}
