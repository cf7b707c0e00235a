import { Outlet } from "@tanstack/react-router";
import { useEffect } from "react";
import { openEvents } from "../../api/events.ts";
import { Rail } from "./Rail.tsx";
import styles from "./Shell.module.css";
import { TopBar } from "./TopBar.tsx";

/** Rail, top bar and the page between them, for everybody who is signed in. */
export function Shell() {
  useEffect(openEvents, []);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#page">
        Skip to the page
      </a>
      <div className={styles.side}>
        <Rail />
      </div>
      <TopBar />
      <main id="page" className={styles.page} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}
