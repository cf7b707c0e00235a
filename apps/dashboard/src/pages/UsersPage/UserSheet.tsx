import { type Role, roles } from "@gatehouse/contract";
import type { User } from "@gatehouse/contract/routes";
import { useState } from "react";
import { useWhoAmI } from "../../api/auth.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { RadioGroup } from "../../ui/Choices.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { CopyText } from "../../ui/CopyText.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { Link } from "../../ui/Link.tsx";
import { Sheet } from "../../ui/Sheet.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";
import { toast } from "../../ui/toast-store.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { roleWords } from "./role-words.ts";
import { type UserMove, useUserChange } from "./use-user-change.ts";
import { UserState } from "./UserState.tsx";
import styles from "./UsersPage.module.css";

export interface UserSheetProps {
  readonly id: string;
  /** The same user in the list, which follows live events. */
  readonly listed: User | undefined;
  readonly onClose: () => void;
}

export function UserSheet({ id, listed, onClose }: UserSheetProps) {
  const { read, change, isStale } = useUserChange(id, onClose);
  const user = read.data?.data;
  return (
    <Sheet open onClose={onClose} title={user?.username ?? listed?.username ?? "User"} dismissable={!change.isPending}>
      {read.isPending && <Skeleton count={6} label="Reading the user" />}
      {read.isError && (
        <ApiErrorView error={read.error} title="The user could not be read" onRetry={() => void read.refetch()} />
      )}
      {user !== undefined && (
        <UserBody
          user={user}
          isStale={isStale}
          hasMoved={
            listed !== undefined && listed.updatedAt !== user.updatedAt && !read.isFetching && !change.isPending
          }
          change={change}
          onReload={() => void read.refetch()}
        />
      )}
    </Sheet>
  );
}

interface UserBodyProps {
  readonly user: User;
  readonly isStale: boolean;
  readonly hasMoved: boolean;
  readonly change: ReturnType<typeof useUserChange>["change"];
  readonly onReload: () => void;
}

function UserBody({ user, isStale, hasMoved, change, onReload }: UserBodyProps) {
  const who = useWhoAmI();
  const isMe = who.user.id === user.id;
  const [role, setRole] = useState<Role>(user.role);
  const [asked, setAsked] = useState<UserMove>();
  const ask = (move: UserMove): void => {
    change.reset();
    setAsked(move);
  };
  const confirm = (): void => {
    if (asked === undefined) return;
    change.mutate(asked, {
      onSuccess: () => toast(doneWords(user, asked)),
      // The refusal stands in the sheet, beside what was tried.
      onSettled: () => setAsked(undefined),
    });
  };
  return (
    <div className={styles.sheet}>
      {hasMoved && !isStale && (
        <Banner
          state="warn"
          live
          title={`${user.username} was changed meanwhile.`}
          action={
            <Button size="small" onClick={onReload}>
              Read again
            </Button>
          }
        >
          What stands here is older.
        </Banner>
      )}
      {isStale && (
        <Banner state="warn" live title="Nothing was changed: somebody else was faster.">
          {user.username} has been read again: {roleWords[user.role].label.toLowerCase()},{" "}
          {user.disabled ? "disabled" : "may sign in"}. Look, and repeat what is still right.
        </Banner>
      )}
      {change.isError && !isStale && <ApiErrorView error={change.error} size="inline" />}
      <Facts
        items={[
          { label: "State", value: <UserState disabled={user.disabled} /> },
          { label: "Role", value: roleWords[user.role].label, note: roleWords[user.role].hint },
          { label: "Id", value: <CopyText text={user.id} label="user id" whole /> },
          { label: "Created", value: <Time at={user.createdAt} />, note: <Time at={user.createdAt} absolute /> },
          { label: "Password set", value: <Time at={user.passwordChangedAt} /> },
          ...(who.scopes.includes("audit:read")
            ? [{ label: "Audit log", value: <Link href={`/audit?actor=${user.id}`}>What {user.username} did</Link> }]
            : []),
        ]}
      />
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (role !== user.role) ask({ role });
        }}
      >
        <RadioGroup
          legend="Change the role"
          value={role}
          onChange={(value) => setRole(value as Role)}
          options={roles.map((value) => ({ value, ...roleWords[value] }))}
        />
        <div>
          <Button type="submit" disabled={role === user.role}>
            {role === user.role ? "Choose another role" : `Make ${user.username} ${withArticle(role)}…`}
          </Button>
        </div>
      </form>
      <div className={styles.acts}>
        <Button onClick={() => ask({ disabled: !user.disabled })}>
          {user.disabled ? "Enable" : "Disable"} {user.username}…
        </Button>
        <Button look="danger" onClick={() => ask("remove")}>
          Remove {user.username}…
        </Button>
      </div>
      <ConfirmDialog
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        onConfirm={confirm}
        busy={change.isPending}
        {...(asked === undefined ? nothing : questionOf(user, asked, isMe))}
      />
    </div>
  );
}

const nothing = { title: "", sentence: "", confirm: "" };

function questionOf(user: User, move: UserMove, isMe: boolean) {
  const name = user.username;
  const you = isMe ? " This is you: you will have to sign in again." : "";
  if (move === "remove") {
    return {
      title: `Remove ${name}`,
      sentence: `${name} is removed with all sessions and tokens; whatever they have open ends. What ${name} did stays in the audit log.${isMe ? " This is you." : ""}`,
      confirm: `Remove ${name}`,
      look: "danger" as const,
      typed: name,
    };
  }
  if ("role" in move) {
    return {
      title: `Make ${name} ${withArticle(move.role)}`,
      sentence: `${name} becomes ${withArticle(move.role)} instead of ${withArticle(user.role)}, and all sessions of ${name} end. Tokens stay, cut to what the new role holds.${you}`,
      confirm: `Make ${name} ${withArticle(move.role)}`,
    };
  }
  return move.disabled
    ? {
        title: `Disable ${name}`,
        sentence: `${name} can no longer sign in; all sessions end and all tokens are revoked. The user stays and can be enabled again.${isMe ? " This is you." : ""}`,
        confirm: `Disable ${name}`,
        look: "danger" as const,
      }
    : {
        title: `Enable ${name}`,
        sentence: `${name} can sign in again with the old password. Tokens that were revoked stay revoked.`,
        confirm: `Enable ${name}`,
      };
}

function doneWords(user: User, move: UserMove): string {
  if (move === "remove") return `${user.username} is removed`;
  if ("role" in move) return `${user.username} is now ${withArticle(move.role)}`;
  return `${user.username} is ${move.disabled ? "disabled" : "enabled"}`;
}

function withArticle(role: Role): string {
  return `${/^[aeo]/.test(role) ? "an" : "a"} ${role}`;
}
