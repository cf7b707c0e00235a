import { useState } from "react";
import { Badge } from "../../ui/Badge.tsx";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { ErrorView } from "../../ui/ErrorView.tsx";
import { Meter } from "../../ui/Meter.tsx";
import { Matrix } from "../../ui/Matrix.tsx";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Spinner } from "../../ui/Spinner.tsx";
import { Mark, StateMark, type State } from "../../ui/StateMark.tsx";
import { Stepper } from "../../ui/Stepper.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import styles from "./GalleryPage.module.css";

const states: readonly [State, string][] = [
  ["ok", "Active"],
  ["quiet", "Monitor only"],
  ["idle", "Not started"],
  ["run", "Changing"],
  ["wait", "Waiting for you"],
  ["warn", "Expires soon"],
  ["back", "Rolled back"],
  ["off", "Unreachable"],
  ["bad", "Failed"],
  ["refused", "Rejected"],
  ["unheard", "Not heard yet"],
];

export function StateParts() {
  return (
    <>
      <Marks />
      <Fleet />
      <Waiting />
      <Section title="Nothing here, or nothing came">
        <Empty
          title="No tokens yet"
          command="gatehouse token issue --name deploy-eu --scope plugin:invoke --expires 30d"
        >
          A token lets a program act for you, with no more than the scopes you give it.
        </Empty>
        <Empty title="No entry matches" action={<Button>Clear the filter</Button>}>
          All conditions have to hold together.
        </Empty>
        <Retry />
        <ErrorView
          size="inline"
          title="Sign-in was refused"
          detail="The name or the password is wrong."
          code="auth.invalid_credentials"
          requestId="req_01k9x4t7qdm3v8w2n5c6b1za"
        />
      </Section>
      <div className={styles.all}>
        <Section title="Banners and steps">
          <div className={styles.stack}>
            <Banner
              state="wait"
              title="The bytes on disk changed."
              action={<Button size="small">See the difference</Button>}
            >
              Nothing runs until the new digest passes its gates.
            </Banner>
            <Banner state="off" title="The server cannot be reached." live>
              What you see is from 03:12. It renews itself.
            </Banner>
            <Banner state="quiet" title="You may read this and change nothing." />
            <Banner state="bad" title="The audit chain is broken at #48,213." />
            <Stepper
              label="Lifecycle"
              current="activate"
              steps={[
                { key: "publish", title: "Publish", state: "ok", word: "Signed by 2 of 2 keys", note: "15 Nov, 16:20" },
                { key: "verify", title: "Verify", state: "ok", word: "14 checks passed" },
                { key: "activate", title: "Activate", state: "wait", word: "Yours to decide" },
                { key: "apply", title: "Apply", state: "idle", word: "Shut", note: "Opens plan by plan" },
              ]}
            />
            <Stepper
              label="An apply that went back"
              current="check"
              steps={[
                { key: "snapshot", title: "Snapshot", state: "ok", word: "Taken" },
                { key: "apply", title: "Apply", state: "run", word: "Changing" },
                { key: "check", title: "Check", state: "bad", word: "No answer in 30 s" },
                { key: "back", title: "Roll back", state: "back", word: "Rolled back", note: "03:14" },
              ]}
            />
          </div>
        </Section>
      </div>
    </>
  );
}

function Marks() {
  return (
    <Section title="States" count={states.length}>
      <div className={styles.stack}>
        <div className={styles.row}>
          {states.map(([state, word]) => (
            <StateMark key={state} state={state} word={word} />
          ))}
        </div>
        {([9, 15] as const).map((size) => (
          <div key={size} className={styles.row}>
            {states.map(([state]) => (
              <Mark key={state} state={state} size={size} />
            ))}
            <span>{size} px</span>
          </div>
        ))}
        <div className={styles.row}>
          <StateMark state="bad" word="Failed" hideWord />
          <StateMark state="ok" word="Loud although well" loud />
          <span>
            Words for a screen reader alone: <VisuallyHidden>here they are</VisuallyHidden>
          </span>
        </div>
        <div className={styles.row}>
          <Badge>managed</Badge>
          <Badge look="plain">monitor</Badge>
          <Badge look="warn" state="warn">
            expires in 3 d
          </Badge>
          <Badge look="bad">revoked</Badge>
          <Badge mono>plugins:read</Badge>
        </div>
        <div className={styles.row}>
          <Meter value={0} word="Nothing" />
          <Meter value={1} word="Data" />
          <Meter value={2} word="Network" />
          <Meter value={3} word="Host" />
          <Meter value={3} word="Host, new" loud />
        </div>
      </div>
    </Section>
  );
}

const exceptions: Readonly<Record<number, State>> = { 7: "off", 31: "warn", 58: "unheard", 73: "run", 90: "back" };

function Fleet() {
  const cells = Array.from({ length: 120 }, (_none, at) => {
    const state = exceptions[at] ?? (at % 5 === 0 ? "quiet" : "ok");
    return { key: String(at), state, title: `edge-${at}: ${state}`, href: "/gallery" };
  });
  return (
    <Section title="A mark for each" count={cells.length}>
      <div className={styles.stack}>
        <Matrix label="120 hosts, five of which need a look." cells={cells} />
      </div>
    </Section>
  );
}

function Waiting() {
  return (
    <Section title="Loading, in the final shape">
      <div className={styles.stack}>
        <Skeleton shape="title" />
        <Skeleton shape="list" count={2} label="Reading plugins" />
        <Skeleton shape="rows" count={3} />
        <Skeleton shape="lines" count={2} />
        <p className={styles.row}>
          <Spinner /> Walking the chain
        </p>
      </div>
    </Section>
  );
}

function Retry() {
  const [busy, setBusy] = useState(false);
  return (
    <ErrorView
      title="Plugins could not be read"
      detail="The store did not answer within 5 seconds."
      todo="Try again. If it goes on, look at the server's log for this request."
      code="store.unavailable"
      requestId="req_01k9x4t7qdm3v8w2n5c6b1za"
      retrying={busy}
      onRetry={() => {
        setBusy(true);
        setTimeout(() => setBusy(false), 1500);
      }}
    />
  );
}
