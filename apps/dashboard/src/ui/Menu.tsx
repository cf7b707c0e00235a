import { Menu as Base } from "@base-ui/react/menu";
import { Fragment, type ReactElement, type ReactNode } from "react";
import { cx } from "./cx.ts";
import { Link } from "./Link.tsx";
import styles from "./Menu.module.css";

export type MenuItem = {
  key: string;
  label: ReactNode;
  icon?: ReactNode;
  /** Keys or a fact at the right end. */
  hint?: ReactNode;
  href?: string;
  onSelect?: () => void;
  /** One of several that hold: drawn as a radio. */
  chosen?: boolean;
  danger?: boolean;
  disabled?: boolean;
};

export type MenuGroup = { key: string; label?: string; items: readonly MenuItem[] };

export type MenuProps = {
  /** A Button or IconButton, or a function that draws one from what the menu gives it. */
  trigger: ReactElement;
  groups: readonly MenuGroup[];
  align?: "start" | "end";
};

/** Actions on one thing. Arrow keys, Home, End and first letters move; Escape gives the focus back. */
export function Menu({ trigger, groups, align = "end" }: MenuProps) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={styles.place} align={align} sideOffset={4} collisionPadding={8}>
          <Base.Popup className={styles.menu}>
            {groups.map((group, at) => (
              <Fragment key={group.key}>
                {at > 0 && <Base.Separator className={styles.line} />}
                <Group group={group} />
              </Fragment>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Group({ group }: { group: MenuGroup }) {
  const radios = group.items.some((item) => item.chosen !== undefined);
  const items = group.items.map((item) => <Item key={item.key} item={item} />);
  return (
    <Base.Group>
      {group.label !== undefined && <Base.GroupLabel className={styles.label}>{group.label}</Base.GroupLabel>}
      {radios ? (
        <Base.RadioGroup
          value={group.items.find((item) => item.chosen)?.key}
          onValueChange={(key) => group.items.find((item) => item.key === key)?.onSelect?.()}
        >
          {items}
        </Base.RadioGroup>
      ) : (
        items
      )}
    </Base.Group>
  );
}

function Item({ item }: { item: MenuItem }) {
  const className = cx(styles.item, item.danger && styles.danger);
  const words = (
    <>
      {item.icon}
      <span className={styles.words}>{item.label}</span>
      {item.hint && <span className={styles.hint}>{item.hint}</span>}
    </>
  );
  if (item.chosen !== undefined) {
    return (
      <Base.RadioItem className={className} value={item.key} disabled={item.disabled ?? false} closeOnClick>
        {words}
        <Base.RadioItemIndicator className={styles.chosen} />
      </Base.RadioItem>
    );
  }
  if (item.href !== undefined) {
    return (
      <Base.LinkItem className={className} closeOnClick render={<Link look="bare" href={item.href} />}>
        {words}
      </Base.LinkItem>
    );
  }
  return (
    <Base.Item className={className} disabled={item.disabled ?? false} onClick={() => item.onSelect?.()}>
      {words}
    </Base.Item>
  );
}
