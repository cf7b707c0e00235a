import type { Token } from "@gatehouse/contract/routes";
import { Fragment } from "react";
import { useWhoAmI } from "../../api/auth.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { ShortText } from "../../ui/ShortText.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { type Column, Table } from "../../ui/Table.tsx";
import { Time } from "../../ui/Time.tsx";
import { nodeCount } from "./node-count.ts";
import { isUsable, tokenStateMarks, tokenStateOf } from "./token-state.ts";
import styles from "./TokensPage.module.css";

export interface TokenTableProps {
  readonly tokens: readonly Token[];
  readonly withOwner: boolean;
  readonly opened: string | undefined;
  readonly onOpen: (token: Token) => void;
  readonly onRevoke: (token: Token) => void;
}

export function TokenTable({ tokens, withOwner, opened, onOpen, onRevoke }: TokenTableProps) {
  const { user } = useWhoAmI();
  const owner: Column<Token> = {
    key: "owner",
    head: "Owner",
    least: 100,
    drop: 2,
    phoneLabel: true,
    cell: (token) => (
      <>
        <ShortText text={token.owner.username} most={20} />{" "}
        {token.owner.id === user.id && <span className={styles.quiet}>you</span>}
      </>
    ),
  };
  const columns: readonly Column<Token>[] = [
    {
      key: "name",
      head: "Name",
      least: 205,
      cell: (token) => (
        <>
          <b>
            <ShortText text={token.name} most={30} />
          </b>{" "}
          {token.class === "assistant" && <Badge look="plain">assistant</Badge>}
        </>
      ),
    },
    {
      key: "state",
      head: "State",
      width: "narrow",
      least: 84,
      phone: "time",
      cell: (token) => <TokenStateMark token={token} />,
    },
    ...(withOwner ? [owner] : []),
    { key: "scopes", head: "May", least: 185, cell: (token) => <ScopeWords token={token} /> },
    {
      key: "used",
      head: "Last used",
      drop: 1,
      phoneLabel: true,
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? (
          <span className={styles.never} title="The server knows of no use.">
            not yet
          </span>
        ) : (
          <span className={styles.line}>
            <Time at={lastUsedAt} />
          </span>
        ),
    },
    {
      key: "expires",
      head: "Expires",
      least: 72,
      width: "narrow",
      phoneLabel: true,
      cell: ({ expiresAt }) => (
        <span className={styles.line}>
          <Time at={expiresAt} />
        </span>
      ),
    },
    {
      key: "revoke",
      head: "Action",
      width: "narrow",
      align: "end",
      phone: "act",
      cell: (token) =>
        isUsable(tokenStateOf(token, Date.now())) && (
          <Button
            className={styles.line ?? ""}
            size="small"
            look="danger"
            onClick={() => onRevoke(token)}
            aria-label={`Revoke ${token.name}…`}
          >
            Revoke…
          </Button>
        ),
    },
  ];
  return (
    <Table
      label="Tokens"
      columns={columns}
      rows={tokens}
      rowKey={({ id }) => id}
      onRow={onOpen}
      selectedKey={opened}
      rowHeight={40}
    />
  );
}

export function TokenStateMark({ token }: { readonly token: Token }) {
  const { state, word } = tokenStateMarks[tokenStateOf(token, Date.now())];
  return (
    <span className={styles.line}>
      <StateMark state={state} word={word} />
    </span>
  );
}

const fewScopes = 2;
const fewNodes = 5;

/** The first scopes by name and how many nodes they are limited to. The sheet says each in a sentence, and every node. */
function ScopeWords({ token: { scopes, nodes } }: { readonly token: Token }) {
  const rest = scopes.length - fewScopes;
  if (rest <= 0 && nodes === null) return <Codes names={scopes} />;
  return (
    <ShortText
      short={
        <>
          <Codes names={scopes.slice(0, fewScopes)} />{" "}
          {rest > 0 && <span className={styles.quiet}>and {rest} more </span>}
          {nodes !== null && `on ${nodeCount(nodes)}`}
        </>
      }
      whole={
        <>
          <Codes names={scopes} />
          {nodes !== null && (
            <span className={styles.nodes}>
              on {nodeCount(nodes)}: <Codes names={nodes.slice(0, fewNodes)} />
              {nodes.length > fewNodes && `and ${nodes.length - fewNodes} more`}
            </span>
          )}
        </>
      }
    />
  );
}

function Codes({ names }: { readonly names: readonly string[] }) {
  return (
    <span className={styles.scopes}>
      {names.map((name) => (
        <Fragment key={name}>
          <code>{name}</code>{" "}
        </Fragment>
      ))}
    </span>
  );
}
