import { AccountMenu } from "./AccountMenu.tsx";
import { ThemeMenu } from "./ThemeMenu.tsx";

/** Together in one late part: menus bring much with them that no page needs to be read. */
export function TopMenus({ openHelp }: { readonly openHelp: () => void }) {
  return (
    <>
      <ThemeMenu />
      <AccountMenu openHelp={openHelp} />
    </>
  );
}
