import { useNavigate, useSearch } from "@tanstack/react-router";
import { Brand } from "../../widgets/Brand/Brand.tsx";
import { SignInForm } from "../../widgets/Proof/SignInForm.tsx";
import { GatePlan } from "./GatePlan.tsx";
import { safeTarget } from "./safe-target.ts";
import styles from "./SignInPage.module.css";

export function SignInPage() {
  const { to } = useSearch({ from: "/login" });
  const navigate = useNavigate();
  return (
    <div className={styles.enter}>
      <main className={styles.talk}>
        <Brand />
        <div className={styles.form}>
          <h1>Sign in</h1>
          <p className={styles.to}>
            to <b>{location.host}</b>
          </p>
          <SignInForm onDone={() => void navigate({ href: safeTarget(to, location.origin), replace: true })} />
        </div>
        <p className={styles.foot}>
          No account yet, or a lost password? An owner can add you under Users, and <code>gatehouse --help</code> on the
          server names the way back in.
        </p>
      </main>
      <GatePlan />
    </div>
  );
}
