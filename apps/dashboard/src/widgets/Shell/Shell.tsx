import { Outlet, useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { useWhoAmI } from "../../api/auth.ts";
import { openEvents } from "../../api/events.ts";
import { Sheet } from "../../ui/Sheet.tsx";
import { Toaster } from "../../ui/Toaster.tsx";
import { untilLoaded } from "../../api/until-loaded.ts";
import { KeyHelp } from "../Keys/KeyHelp.tsx";
import { useKeys } from "../Keys/use-keys.ts";
import { Rail } from "./Rail.tsx";
import styles from "./Shell.module.css";
import { StaleBanner } from "./StaleBanner.tsx";
import { TopBar } from "./TopBar.tsx";
import { WhenDisbelieved } from "./WhenDisbelieved.tsx";
import { WhenStopped } from "./WhenStopped.tsx";

const Palette = lazy(async () => ({
  default: (await untilLoaded(() => import("../Palette/Palette.tsx"))).Palette,
}));

type Open = "rail" | "palette" | "help" | undefined;

/** Rail, top bar and the page between them, for everybody who is signed in. */
export function Shell() {
  const [open, setOpen] = useState<Open>();
  const close = useCallback(() => setOpen(undefined), []);
  const openPalette = useCallback(() => setOpen("palette"), []);
  const openHelp = useCallback(() => setOpen("help"), []);
  const { position } = useWhoAmI();
  const from = useRef(position);
  useEffect(() => openEvents(from.current), []);
  useKeys({ openPalette, openHelp });
  const page = usePageFocus();
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#page">
        Skip to the page
      </a>
      <div className={styles.side}>
        <Rail />
      </div>
      <TopBar openRail={() => setOpen("rail")} openPalette={openPalette} openHelp={openHelp} />
      <div>
        <WhenDisbelieved />
        <WhenStopped />
      </div>
      <main ref={page} id="page" className={styles.page} tabIndex={-1}>
        <StaleBanner />
        <Outlet />
      </main>
      <Sheet open={open === "rail"} side="left" title="Navigation" bareTitle onClose={close}>
        <Rail onLeave={close} />
      </Sheet>
      {open === "help" && <KeyHelp onClose={close} />}
      {open === "palette" && (
        <Suspense fallback={null}>
          <Palette onClose={close} openHelp={openHelp} />
        </Suspense>
      )}
      <Toaster />
    </div>
  );
}

/** A new page is where the next Tab goes on; otherwise it would go on from a link of the page before. */
function usePageFocus() {
  const { pathname } = useLocation();
  const page = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    window.scrollTo(0, 0);
    page.current?.focus({ preventScroll: true });
  }, [pathname]);
  return page;
}
