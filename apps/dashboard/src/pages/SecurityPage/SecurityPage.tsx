import { useWhoAmI } from "../../api/auth.ts";
import { PageHead } from "../../ui/PageHead.tsx";
import { Section } from "../../ui/Section.tsx";
import { ChangePasswordForm } from "./ChangePasswordForm.tsx";
import styles from "./SecurityPage.module.css";
import { SessionList } from "./SessionList.tsx";

/** One's own password and one's own sessions. */
export function SecurityPage() {
  const { user } = useWhoAmI();
  return (
    <div className={styles.page}>
      <PageHead
        title="Security"
        meta={
          <span>
            You are <b>{user.username}</b>, {/^[aeo]/.test(user.role) ? "an" : "a"} {user.role}.
          </span>
        }
      />
      <div className={styles.columns}>
        <SessionList />
        <Section title="Change the password">
          <ChangePasswordForm username={user.username} />
        </Section>
      </div>
    </div>
  );
}
