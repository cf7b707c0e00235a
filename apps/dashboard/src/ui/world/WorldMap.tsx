import { Maximize, Minus, Plus } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { IconButton } from "../IconButton.tsx";
import { useThemeChange } from "../use-theme-change.ts";
import { fitView, type Point, type Size, type View } from "./mercator.ts";
import { openWorld, type World, type WorldColours } from "./open-world.ts";
import { plainColour } from "./theme-colours.ts";
import styles from "./WorldMap.module.css";

export interface WorldMapProps {
  /** What is shown and how one moves in it, for a screen reader. */
  readonly label: string;
  /** What is to be shown; undefined is all of the points. */
  readonly view: View | undefined;
  readonly points: readonly Point[];
  /** It has come to rest; by somebody's hand, or because it was told to. */
  readonly onRest: (view: View, size: Size, isByHand: boolean) => void;
  readonly onWhole: () => void;
  /** What stands on the land, drawn anew at every frame in which the map moves. */
  readonly children: (view: View, size: Size) => ReactNode;
}

/** The world's land in the colours of the theme, to move in by hand, wheel, finger and keys. What stands on it is the caller's. */
export function WorldMap({ label, view, points, onRest, onWhole, children }: WorldMapProps) {
  const box = useRef<HTMLDivElement>(null);
  const colours = useRef<HTMLSpanElement>(null);
  const world = useRef<World>(undefined);
  const [size, setSize] = useState<Size>();
  const [now, setNow] = useState<View>();
  const [hasLand, setLand] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const [layer, setLayer] = useState<HTMLElement>();
  const theme = useThemeChange();
  const rest = useEffectEvent((next: View, isByHand: boolean) => {
    if (size !== undefined) onRest(next, size, isByHand);
  });
  const begin = useEffectEvent((own: Size) => view ?? fitView(points, own));

  useEffect(() => {
    const own = box.current;
    if (own === null) return undefined;
    const watch = new ResizeObserver(() => setSize({ width: own.clientWidth, height: own.clientHeight }));
    watch.observe(own);
    return () => watch.disconnect();
  }, []);

  const isMeasured = size !== undefined;
  useEffect(() => {
    const own = box.current;
    if (own === null || colours.current === null || !isMeasured) return undefined;
    const first = begin({ width: own.clientWidth, height: own.clientHeight });
    setNow(first);
    const opened = openWorld(own, first, readColours(colours.current), {
      label,
      onMove: setNow,
      onRest: rest,
      onLand: () => setLand(true),
      onTrouble: setTrouble,
    });
    world.current = opened;
    setLayer(opened.layer);
    return () => {
      world.current = undefined;
      opened.close();
    };
  }, [isMeasured, label]);

  useEffect(() => {
    if (colours.current !== null && theme > 0) world.current?.paint(readColours(colours.current));
  }, [theme]);

  // The caller says where to; who is there already stays.
  const target = size === undefined ? undefined : (view ?? fitView(points, size));
  const wanted = target === undefined ? "" : wordOf(target);
  const goTo = useEffectEvent(() => {
    if (target !== undefined && now !== undefined && wordOf(now) !== wanted) world.current?.show(target);
  });
  useEffect(() => goTo(), [wanted]);

  return (
    <div className={styles.world}>
      <div ref={box} className={styles.box} />
      {layer !== undefined &&
        (hasLand || trouble !== undefined) &&
        now !== undefined &&
        size !== undefined &&
        createPortal(<div className={styles.layer}>{children(now, size)}</div>, layer)}
      {trouble !== undefined && (
        <p className={styles.trouble} role="status">
          The map is not drawn whole: {trouble}
        </p>
      )}
      <div className={styles.controls}>
        <IconButton label="Nearer" icon={<Plus aria-hidden="true" />} onClick={() => world.current?.zoomBy(1)} />
        <IconButton label="Farther" icon={<Minus aria-hidden="true" />} onClick={() => world.current?.zoomBy(-1)} />
        <IconButton label="Show all" icon={<Maximize aria-hidden="true" />} onClick={onWhole} />
      </div>
      <span ref={colours} hidden>
        <i className={styles.water} />
        <i className={styles.land} />
        <i className={styles.coast} />
      </span>
    </div>
  );
}

function readColours(from: Element): WorldColours {
  const [water = "", land = "", coast = ""] = [...from.children].map(plainColour);
  return { water, land, coast };
}

/** As finely as an address says it. */
function wordOf({ latitude, longitude, zoom }: View): string {
  return [latitude.toFixed(2), longitude.toFixed(2), zoom.toFixed(1)].join();
}
