import type { User } from "@gatehouse/contract/routes";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useWhoAmI } from "../../api/auth.ts";
import { userPages } from "../../api/users.ts";
import { Button } from "../../ui/Button.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { type Column, Table } from "../../ui/Table.tsx";
import { Time } from "../../ui/Time.tsx";
import { ListError } from "../../widgets/ListPager/ListError.tsx";
import { ListPager } from "../../widgets/ListPager/ListPager.tsx";
import { type Step, useSheetSteps } from "../../widgets/Sheets/use-sheet-steps.ts";
import { CreateUserDialog } from "./CreateUserDialog.tsx";
import { roleWords } from "./role-words.ts";
import { RoleTable } from "./RoleTable.tsx";
import { UserSheet } from "./UserSheet.tsx";
import { UserState } from "./UserState.tsx";
import styles from "./UsersPage.module.css";

/** Who may sign in, and what each role lets them do. */
export function UsersPage() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const me = useWhoAmI().user.id;
  const users = useInfiniteQuery(userPages);
  const [isCreating, setCreating] = useState(false);
  const opened = typeof search["user"] === "string" ? search["user"] : undefined;
  const sheet = useSheetSteps(opened !== undefined);
  const show = (user: string | undefined, step: Step): void => {
    void navigate({ to: "/users", search: user === undefined ? {} : { user }, ...step, resetScroll: false });
  };
  const items = users.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <div className={styles.page}>
      <PageHead
        title="Users"
        meta="People who sign in. What each may do follows from the role alone."
        actions={
          <Button look="primary" onClick={() => setCreating(true)}>
            Create a user…
          </Button>
        }
      />
      {users.isPending && <Skeleton shape="rows" count={5} columns={5} label="Reading users" />}
      <ListError list={users} noun="users" />
      {users.data !== undefined && (
        <>
          <Table
            label="Users"
            columns={columnsFor(me)}
            rows={items}
            rowKey={({ id }) => id}
            onRow={({ id }) => sheet.open((step) => show(id, step))}
            selectedKey={opened}
          />
          <ListPager list={users} noun="users" />
        </>
      )}
      <Section title="What each role may do">
        <RoleTable />
      </Section>
      {opened !== undefined && (
        <UserSheet
          key={opened}
          id={opened}
          listed={items.find(({ id }) => id === opened)}
          onClose={() => sheet.close((step) => show(undefined, step))}
        />
      )}
      <CreateUserDialog open={isCreating} onClose={() => setCreating(false)} />
    </div>
  );
}

const columnsFor = (me: string): readonly Column<User>[] => [
  {
    key: "name",
    head: "Name",
    least: 140,
    cell: ({ id, username }) => (
      <>
        <b>{username}</b> {id === me && <span className={styles.quiet}>you</span>}
      </>
    ),
  },
  { key: "role", head: "Role", cell: ({ role }) => roleWords[role].label },
  {
    key: "state",
    head: "State",
    least: 110,
    phone: "time",
    cell: ({ disabled }) => <UserState disabled={disabled} />,
  },
  {
    key: "password",
    head: "Password set",
    drop: 1,
    phone: "hidden",
    cell: ({ passwordChangedAt }) => <Time at={passwordChangedAt} />,
  },
  {
    key: "created",
    head: "Created",
    drop: 2,
    align: "end",
    phone: "hidden",
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];
