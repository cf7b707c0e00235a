import type { Token } from "@gatehouse/contract/routes";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useMay, useWhoAmI } from "../../api/auth.ts";
import { tokenPages } from "../../api/tokens.ts";
import { Button } from "../../ui/Button.tsx";
import { Checkbox } from "../../ui/Choices.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ListError } from "../../widgets/ListPager/ListError.tsx";
import { ListPager } from "../../widgets/ListPager/ListPager.tsx";
import { type Step, useSheetSteps } from "../../widgets/Sheets/use-sheet-steps.ts";
import { IssueTokenDialog } from "./IssueTokenDialog.tsx";
import { RevokeTokenDialog } from "./RevokeTokenDialog.tsx";
import { isUsable, tokenStateOf } from "./token-state.ts";
import { TokenSheet } from "./TokenSheet.tsx";
import styles from "./TokensPage.module.css";
import { TokenTable } from "./TokenTable.tsx";

const issueCommand = "gatehouse token issue --name nightly --scope audit:read --expires 7d > token";

/** What of the list is shown, as the address says it. */
interface Shown {
  readonly whose?: "mine" | undefined;
  readonly ended?: true | undefined;
  readonly token?: string | undefined;
}

/** Credentials for programs: one's own, and everybody's for those who may see them. */
export function TokensPage() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const { user } = useWhoAmI();
  const seesAll = useMay("token:admin");
  const [isIssuing, setIssuing] = useState(false);
  const [revoking, setRevoking] = useState<Token>();

  const onlyMine = seesAll && search["whose"] === "mine";
  const withEnded = search["ended"] === true;
  // The list before stays until the other one is there: a checkbox must not take itself away.
  const tokens = useInfiniteQuery({ ...tokenPages(onlyMine ? user.id : undefined), placeholderData: keepPreviousData });
  const opened = typeof search["token"] === "string" ? search["token"] : undefined;
  const sheet = useSheetSteps(opened !== undefined);
  const show = (change: Shown, step: Step = { replace: true, state: {} }): void => {
    const next = { whose: onlyMine ? "mine" : undefined, ended: withEnded || undefined, token: opened, ...change };
    void navigate({ to: "/tokens", search: next, ...step, resetScroll: false });
  };

  const all = tokens.data?.pages.flatMap(({ items }) => items) ?? [];
  const now = Date.now();
  const usable = all.filter((token) => isUsable(tokenStateOf(token, now)));
  const shown = withEnded ? all : usable;
  const ended = all.length - usable.length;
  const found = all.find(({ id }) => id === opened);
  const { hasNextPage, isFetching, isError, fetchNextPage } = tokens;
  const seeks = opened !== undefined && found === undefined && hasNextPage;
  useEffect(() => {
    // An address may name a token of a later page.
    if (seeks && !isFetching && !isError) void fetchNextPage();
  }, [seeks, isFetching, isError, fetchNextPage]);
  const issue = (
    <Button look="primary" onClick={() => setIssuing(true)}>
      Issue a token…
    </Button>
  );
  return (
    <div className={styles.page}>
      <PageHead
        title="Tokens"
        meta="For programs. A token holds a part of its owner's scopes, ends by itself, and can be revoked at any moment."
        actions={issue}
      />
      {tokens.isPending && <Skeleton shape="rows" count={5} columns={6} label="Reading tokens" />}
      <ListError list={tokens} noun="tokens" />
      {tokens.data !== undefined && (
        <>
          {(onlyMine || (seesAll && all.length > 0) || ended > 0) && (
            <div className={styles.filters}>
              {seesAll && (
                <Checkbox
                  label="Only mine"
                  checked={onlyMine}
                  onChange={(on) => show({ whose: on ? "mine" : undefined })}
                />
              )}
              <Checkbox
                label={`Also expired and revoked (${ended}${hasNextPage ? " so far" : ""})`}
                checked={withEnded}
                onChange={(on) => show({ ended: on || undefined })}
              />
            </div>
          )}
          {shown.length === 0 ? (
            <Empty
              title={ended > 0 ? "No token is in use" : "No tokens yet"}
              command={`gatehouse login --server ${window.location.origin}\n${issueCommand}`}
              commandLabel="Issue one above, or on the command line"
            >
              A token lets a program act in your name: a nightly check, a deployment, an assistant that reads. Issue one
              for each program, with no more scopes than it needs.
            </Empty>
          ) : (
            <TokenTable
              tokens={shown}
              withOwner={seesAll && !onlyMine}
              opened={opened}
              onOpen={(token) => sheet.open((step) => show({ token: token.id }, step))}
              onRevoke={setRevoking}
            />
          )}
          <ListPager list={tokens} noun="tokens" />
        </>
      )}
      <TokenSheet
        token={found}
        wanted={tokens.data !== undefined && !seeks ? opened : undefined}
        onClose={() => sheet.close((step) => show({ token: undefined }, step))}
        onRevoke={setRevoking}
      />
      <IssueTokenDialog open={isIssuing} onClose={() => setIssuing(false)} />
      {revoking !== undefined && <RevokeTokenDialog token={revoking} onClose={() => setRevoking(undefined)} />}
    </div>
  );
}
