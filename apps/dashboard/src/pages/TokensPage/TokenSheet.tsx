import { scopes } from "@gatehouse/contract";
import type { Token } from "@gatehouse/contract/routes";
import { useWhoAmI } from "../../api/auth.ts";
import { Button } from "../../ui/Button.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { CopyText } from "../../ui/CopyText.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { Link } from "../../ui/Link.tsx";
import { Sheet } from "../../ui/Sheet.tsx";
import { Time } from "../../ui/Time.tsx";
import { nodeCount } from "./node-count.ts";
import { classWords } from "./token-class-words.ts";
import { isUsable, tokenStateOf } from "./token-state.ts";
import { TokenStateMark } from "./TokenTable.tsx";
import styles from "./TokensPage.module.css";

export interface TokenSheetProps {
  readonly token: Token | undefined;
  /** The id in the address; there may be no such token any more. */
  readonly wanted: string | undefined;
  readonly onClose: () => void;
  readonly onRevoke: (token: Token) => void;
}

export function TokenSheet({ token, wanted, onClose, onRevoke }: TokenSheetProps) {
  const mayAudit = useWhoAmI().scopes.includes("audit:read");
  if (token === undefined) {
    return (
      <Sheet open={wanted !== undefined} onClose={onClose} title="No such token">
        <p>
          <code>{wanted}</code> is not among the tokens you may see. Tokens that ended long ago are cleared; the audit
          log keeps what they did.
        </p>
      </Sheet>
    );
  }
  return (
    <Sheet
      open
      onClose={onClose}
      title={token.name}
      footer={
        isUsable(tokenStateOf(token, Date.now())) && (
          <Button look="danger" onClick={() => onRevoke(token)}>
            Revoke {token.name}…
          </Button>
        )
      }
    >
      <Facts
        items={[
          { label: "State", value: <TokenStateMark token={token} /> },
          { label: "Id", value: <CopyText text={token.id} label="token id" whole /> },
          { label: "Owner", value: token.owner.username },
          { label: "Class", value: classWords[token.class].label, note: classWords[token.class].hint },
          { label: "Issued", value: <Time at={token.createdAt} />, note: <Time at={token.createdAt} absolute /> },
          { label: "Expires", value: <Time at={token.expiresAt} />, note: <Time at={token.expiresAt} absolute /> },
          ...(token.revokedAt === null
            ? []
            : [
                {
                  label: "Revoked",
                  value: <Time at={token.revokedAt} />,
                  note: <Time at={token.revokedAt} absolute />,
                },
              ]),
          {
            label: "Last used",
            value: token.lastUsedAt === null ? "No use is known" : <Time at={token.lastUsedAt} />,
            note: token.lastAddress !== null && (
              <>
                from <code>{token.lastAddress}</code>
              </>
            ),
          },
          {
            label: "Nodes",
            value: token.nodes === null ? "All" : <NodeLimit nodes={token.nodes} />,
            note: token.nodes !== null && <NodeList nodes={token.nodes} />,
          },
        ]}
      />
      <h3 className={styles.sheetHead}>What it may do</h3>
      <ul className={styles.may}>
        {token.scopes.map((scope) => (
          <li key={scope}>
            <code>{scope}</code>
            <span>{scopes[scope].says}</span>
          </li>
        ))}
      </ul>
      <p className={styles.quiet}>At each use it is cut to what its owner then holds.</p>
      {mayAudit && (
        <p className={styles.sheetHead}>
          <Link href={`/audit?actor=${encodeURIComponent(`token:${token.id}`)}`}>
            What this token did, in the audit log
          </Link>
        </p>
      )}
    </Sheet>
  );
}

function NodeLimit({ nodes }: { readonly nodes: readonly string[] }) {
  return (
    <>
      Only {nodeCount(nodes)} <CopyButton text={nodes.join("\n")} label="node ids" />
    </>
  );
}

/** Every one: who revokes or keeps a token has to know what it reaches. */
function NodeList({ nodes }: { readonly nodes: readonly string[] }) {
  return (
    <ul>
      {nodes.map((node) => (
        <li key={node}>
          <code>{node}</code>
        </li>
      ))}
    </ul>
  );
}
