import { Menu as MenuIcon, Search } from "lucide-react";
import { lazy, Suspense } from "react";
import { IconButton } from "../../ui/IconButton.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import { untilLoaded } from "../../api/until-loaded.ts";
import { whenIdle } from "../../ui/when-idle.ts";
import { paletteKeys } from "../Keys/KeyHelp.tsx";
import { Crumbs } from "./Crumbs.tsx";
import { LiveMark } from "./LiveMark.tsx";
import styles from "./TopBar.module.css";

// What the page says comes first: the menus are as heavy as the page and nobody opens one at once.
const TopMenus = lazy(async () => {
  await whenIdle();
  return { default: (await untilLoaded(() => import("./TopMenus.tsx"))).TopMenus };
});

export interface TopBarProps {
  readonly openRail: () => void;
  readonly openPalette: () => void;
  readonly openHelp: () => void;
}

export function TopBar({ openRail, openPalette, openHelp }: TopBarProps) {
  return (
    <header className={styles.bar}>
      <span className={styles.menu}>
        <IconButton label="Navigation" icon={<MenuIcon size={18} aria-hidden="true" />} onClick={openRail} />
      </span>
      <Crumbs />
      <button type="button" className={styles.jump} onClick={openPalette}>
        <Search size={14} aria-hidden="true" />
        <span>Jump to a node, plan or action</span>
        <Kbd keys={paletteKeys} />
      </button>
      <LiveMark />
      <Suspense fallback={<span className={styles.late} />}>
        <TopMenus openHelp={openHelp} />
      </Suspense>
    </header>
  );
}
