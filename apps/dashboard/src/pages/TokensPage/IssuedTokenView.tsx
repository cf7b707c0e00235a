import type { IssuedToken } from "../../api/tokens.ts";
import { Banner } from "../../ui/Banner.tsx";
import { CopyText } from "../../ui/CopyText.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { Time } from "../../ui/Time.tsx";
import styles from "./TokensPage.module.css";

export function IssuedTokenView({ issued }: { readonly issued: IssuedToken }) {
  return (
    <div className={styles.form}>
      <Banner state="wait" title="Copy it now. It is not shown again." live>
        Gatehouse keeps only a fingerprint of it. If it is lost, revoke it and issue another.
      </Banner>
      <div className={styles.token}>
        <CopyText text={issued.token} label="token" whole />
      </div>
      <Facts
        items={[
          { label: "May", value: issued.scopes.join(", ") },
          { label: "Expires", value: <Time at={issued.expiresAt} />, note: <Time at={issued.expiresAt} absolute /> },
          {
            label: "Use",
            value: (
              <>
                Programs send <code>Authorization: Bearer …</code>; the command line reads <code>GATEHOUSE_TOKEN</code>.
              </>
            ),
          },
        ]}
      />
    </div>
  );
}
