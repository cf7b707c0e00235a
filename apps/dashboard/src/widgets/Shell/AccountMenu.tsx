import { Keyboard, KeyRound, LogOut, Shield } from "lucide-react";
import { useWhoAmI } from "../../api/auth.ts";
import { Menu } from "../../ui/Menu.tsx";
import styles from "./TopBar.module.css";
import { useSignOut } from "./use-sign-out.ts";

export function AccountMenu({ openHelp }: { readonly openHelp: () => void }) {
  const { user } = useWhoAmI();
  const signOut = useSignOut();
  const icon = (Icon: typeof Shield) => <Icon size={15} strokeWidth={1.6} aria-hidden="true" />;
  return (
    <Menu
      trigger={
        <button
          type="button"
          className={styles.me}
          aria-label={`${initialsOf(user.username)} Account: ${user.username}`}
        >
          {initialsOf(user.username)}
        </button>
      }
      groups={[
        {
          key: "mine",
          label: `${user.username}, ${user.role}`,
          items: [
            { key: "security", label: "Security", icon: icon(Shield), href: "/settings/security" },
            { key: "tokens", label: "Tokens", icon: icon(KeyRound), href: "/tokens" },
            { key: "keys", label: "Keys", icon: icon(Keyboard), hint: "?", onSelect: openHelp },
          ],
        },
        { key: "out", items: [{ key: "sign-out", label: "Sign out", icon: icon(LogOut), onSelect: signOut }] },
      ]}
    />
  );
}

/** `ines.okafor` is IO, `dev` is DE. */
function initialsOf(username: string): string {
  const [first = "", second] = username.split(/[._-]+/).filter((part) => part !== "");
  return (second === undefined ? first.slice(0, 2) : `${first.charAt(0)}${second.charAt(0)}`).toUpperCase();
}
