import type { NewWebhook } from "../../api/webhooks.ts";
import { Banner } from "../../ui/Banner.tsx";
import { CopyText } from "../../ui/CopyText.tsx";
import styles from "./WebhooksPage.module.css";

/** The secret, in the one moment in which it can be seen. */
export function WebhookSecretView({ webhook }: { readonly webhook: NewWebhook }) {
  return (
    <div className={styles.form}>
      <Banner state="wait" title="Copy it now. It is not shown again." live>
        It signs every notice to {webhook.name}: whoever receives them verifies each with it. If it is lost, make a new
        one.
      </Banner>
      <div className={styles.secret}>
        <CopyText text={webhook.secret} label="secret" whole />
      </div>
      <p className={styles.quiet}>
        The header <code>Gatehouse-Signature</code> holds the time and an HMAC-SHA256 over the time, a dot and the body.
      </p>
    </div>
  );
}
