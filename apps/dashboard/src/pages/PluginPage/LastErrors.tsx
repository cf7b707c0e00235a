import type { Plugin } from "@gatehouse/contract/routes";
import { Section } from "../../ui/Section.tsx";
import { Time } from "../../ui/Time.tsx";
import styles from "./PluginPage.module.css";

type LastError = Plugin["runtime"]["lastErrors"][number];

/** What went wrong, the newest first. What a plugin wrote is shown as text and never as more. */
export function LastErrors({ errors }: { readonly errors: readonly LastError[] }) {
  if (errors.length === 0) return null;
  return (
    <Section title="Last errors" count={errors.length} aside="since it was armed">
      <ol>
        {folded(errors).map(({ error, times }) => (
          <li key={error.at} className={styles.errors}>
            <span>
              <b>{error.action}</b>: {error.reason}
              {times > 1 && <span className={styles.quiet}>, {times} times the same</span>}
            </span>
            <Time at={error.at} className={styles.quiet ?? ""} />
            {error.stderr !== "" && (
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
              <pre
                className={styles.inert}
                tabIndex={0}
                aria-label={`What it wrote to standard error at ${error.action}`}
              >
                {visible(error.stderr)}
              </pre>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}

function folded(errors: readonly LastError[]): { error: LastError; times: number }[] {
  const out: { error: LastError; times: number }[] = [];
  for (const error of errors) {
    const last = out.at(-1);
    const isSame = last?.error.action === error.action && last.error.reason === error.reason;
    if (last !== undefined && isSame && last.error.stderr === error.stderr) last.times += 1;
    else out.push({ error, times: 1 });
  }
  return out;
}

/** Control characters drawn as what they are: a plugin's words give no orders to a terminal that they are copied into. */
function visible(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);
}
