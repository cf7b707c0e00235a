import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo } from "react";
import { untilLoaded } from "../../api/until-loaded.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { usePhone } from "../../ui/use-phone.ts";
import { useAuditReader } from "../../widgets/AuditActor/use-audit-reader.ts";
import { type Step, useSheetSteps } from "../../widgets/Sheets/use-sheet-steps.ts";
import { type AuditFilter, countFilters, readWitnessesOpen, readFilter, readOpened, searchOf } from "./audit-filter.ts";
import { AuditExport } from "./AuditExport.tsx";
import { AuditFilters } from "./AuditFilters.tsx";
import { AuditList } from "./AuditList.tsx";
import styles from "./AuditPage.module.css";
import { AuditSheet } from "./AuditSheet.tsx";
import { ChainSentence } from "./ChainSentence.tsx";
import { FilterSheet } from "./FilterSheet.tsx";
import { useAuditLog } from "./use-audit-log.ts";
import { useChain } from "./use-chain.ts";

// What is said of the chain in one sentence comes with the page; its facts and its line have room until they are there.
const ChainState = lazy(async () => ({
  default: (await untilLoaded(() => import("./ChainState.tsx"))).ChainState,
}));

const pageSize = 200;
type Shown = AuditFilter & { readonly at?: number; readonly witnesses?: true };
const inPlace: Step = { replace: true, state: {} };

/** Who changed what: the whole log, searched by the server, with the filter in the address. */
export function AuditPage() {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const client = useQueryClient();
  // The address is compared by its text: the same filter must not begin a new search.
  const written = JSON.stringify(readFilter(search));
  const filter = useMemo(() => JSON.parse(written) as AuditFilter, [written]);
  const wanted = useMemo(() => searchOf(filter, pageSize), [filter]);
  const count = countFilters(filter);
  const opened = readOpened(search);
  const { log, entries, refused, newest } = useAuditLog(wanted);
  const reader = useAuditReader(entries);
  const chain = useChain();
  const isPhone = usePhone();

  const isWho = readWitnessesOpen(search);
  const sheet = useSheetSteps(opened !== undefined || isWho);
  const show = (next: Shown, step: Step = inPlace): void => {
    void navigate({ to: "/audit", search: next, ...step, resetScroll: false });
  };
  const open = (at: number): void => sheet.open((step) => show({ ...filter, at }, step));
  const close = (): void => sheet.close((step) => show(filter, step));
  const filtering = { filter, onChange: (next: AuditFilter) => show(next), names: reader.names };
  const showNewest = (): void => {
    window.scrollTo({ top: 0 });
    void client.resetQueries({ queryKey: ["audit-log", wanted] });
  };
  const mayRenewQuietly = log.data?.pages.length === 1 && !log.isFetching;
  useEffect(() => {
    // Somebody who reads further down must not lose the place.
    if (newest === undefined || !mayRenewQuietly || window.scrollY > 200) return;
    void client.invalidateQueries({ queryKey: ["audit-log", wanted] });
  }, [newest, mayRenewQuietly, client, wanted]);

  return (
    <div className={styles.page}>
      <PageHead
        title="Audit"
        meta={<ChainSentence chain={chain} />}
        actions={
          <>
            {isPhone && <FilterSheet {...filtering} />}
            {count > 0 && !isPhone && (
              <Button onClick={() => show({})}>Clear {count === 1 ? "the filter" : `${count} conditions`}</Button>
            )}
            <AuditExport filter={filter} />
            <Button busy={chain.asked.isPending} onClick={() => chain.asked.mutate()}>
              Verify now
            </Button>
          </>
        }
      />
      <Suspense fallback={<div className={styles.chainRoom} />}>
        <ChainState
          chain={chain}
          isOpen={isWho}
          onOpen={() => sheet.open((step) => show({ ...filter, witnesses: true }, step))}
          onClose={close}
        />
      </Suspense>
      {!isPhone && <AuditFilters {...filtering} />}
      {newest !== undefined && !mayRenewQuietly && !log.isFetching && (
        <Banner
          state="quiet"
          live
          title="There are newer entries."
          action={
            <Button size="small" onClick={showNewest}>
              Show them
            </Button>
          }
        >
          The log has grown to #{newest.toLocaleString("en-GB")} since this list was read.
        </Banner>
      )}
      <AuditList {...{ log, entries, refused, reader, filter, opened }} onOpen={open} onClear={() => show({})} />
      <AuditSheet {...{ entries, reader, opened }} onOpen={open} onClose={close} />
    </div>
  );
}
