import type { Session } from "@gatehouse/contract/routes";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { endOtherSessions, endSession, sessionPages, sessionsKey } from "../../api/sessions.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { List, ListItem } from "../../ui/List.tsx";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";
import { toast } from "../../ui/toast-store.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { ListError } from "../../widgets/ListPager/ListError.tsx";
import { ListPager } from "../../widgets/ListPager/ListPager.tsx";
import { deviceWords } from "./device-words.ts";
import styles from "./SecurityPage.module.css";

/** Where one is signed in, this place first, with a way to end each of the others. */
export function SessionList() {
  const sessions = useInfiniteQuery(sessionPages);
  const [ending, setEnding] = useState<Session | "others">();
  const items = (sessions.data?.pages.flatMap((page) => page.items) ?? []).sort(thisFirstThenNewest);
  const isWhole = sessions.data !== undefined && !sessions.hasNextPage;
  const seen = items.filter(({ current }) => !current).length;
  const others = isWhole ? seen : undefined;
  return (
    <Section
      title="Sessions"
      count={isWhole ? items.length : undefined}
      aside={
        seen > 0 && (
          <Button size="small" className={styles.inHead ?? ""} onClick={() => setEnding("others")}>
            End {others === 1 ? "the other one" : `the other${others === undefined ? "s" : ` ${others}`}`}…
          </Button>
        )
      }
    >
      {sessions.isPending && <Skeleton shape="list" count={3} label="Reading sessions" />}
      <ListError list={sessions} noun="sessions" />
      {sessions.data !== undefined && (
        <List label="Your sessions">
          {items.map((session) => (
            <SessionItem key={session.id} session={session} onEnd={() => setEnding(session)} />
          ))}
        </List>
      )}
      <ListPager list={sessions} noun="sessions" />
      {ending !== undefined && <EndDialog what={ending} others={others} onClose={() => setEnding(undefined)} />}
    </Section>
  );
}

function SessionItem({ session, onEnd }: { readonly session: Session; readonly onEnd: () => void }) {
  const { current, userAgent, address, lastUsedAt, createdAt, expiresAt } = session;
  const words = deviceWords(userAgent);
  return (
    <ListItem
      title={
        <span className={styles.name} title={userAgent}>
          {words} {current && <Badge>this session</Badge>}
        </span>
      }
      time={
        current ? (
          <>
            signed in <Time at={createdAt} />
          </>
        ) : (
          <Button size="small" aria-label={`End the session ${words} from ${address}…`} onClick={onEnd}>
            End…
          </Button>
        )
      }
      line={
        <span className={styles.facts}>
          <span>
            from <code>{address}</code>
          </span>
          {!current && (
            <>
              <span>
                signed in <Time at={createdAt} />
              </span>
              <span>
                {lastUsedAt === null ? (
                  "no use is known"
                ) : (
                  <>
                    used <Time at={lastUsedAt} />
                  </>
                )}
              </span>
            </>
          )}
          <span>
            ends <Time at={expiresAt} />
          </span>
        </span>
      }
    />
  );
}

interface EndDialogProps {
  readonly what: Session | "others";
  /** `undefined` while not all of them were read. */
  readonly others: number | undefined;
  readonly onClose: () => void;
}

function EndDialog({ what, others, onClose }: EndDialogProps) {
  const client = useQueryClient();
  const isAll = what === "others";
  const end = useMutation({
    mutationFn: () => (isAll ? endOtherSessions() : endSession(what.id)),
    onSuccess: () => {
      toast(isAll ? "The other sessions have ended" : "The session has ended");
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: sessionsKey }),
  });
  const number = others === undefined ? "" : `${others} `;
  const count = others === 1 ? "The other session" : `The other ${number}sessions`;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => end.mutate()}
      title={isAll ? "End the other sessions" : "End this session"}
      sentence={
        isAll ? (
          `${count} of yours end${others === 1 ? "s" : ""} at once, with whatever is open there. This one stays, and so do your tokens.`
        ) : (
          <>
            The session of <b>{deviceWords(what.userAgent)}</b> from <code>{what.address}</code> ends at once, with
            whatever is open there.
          </>
        )
      }
      confirm={
        isAll
          ? others === 1
            ? "End the other session"
            : `End ${number === "" ? "the other " : number}sessions`
          : "End the session"
      }
      look="danger"
      busy={end.isPending}
      error={end.isError && <ApiErrorView error={end.error} title="It did not end" size="inline" />}
    />
  );
}

function thisFirstThenNewest(one: Session, other: Session): number {
  if (one.current !== other.current) return one.current ? -1 : 1;
  return other.createdAt.localeCompare(one.createdAt);
}
