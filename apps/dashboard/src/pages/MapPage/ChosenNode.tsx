import { X } from "lucide-react";
import type { Node } from "../../api/nodes.ts";
import { Button, ButtonLink } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import type { MapAddress } from "../../widgets/Fleet/map-address.ts";
import { sayStanding } from "../../widgets/Fleet/standing.ts";
import type { Site } from "./join-places.ts";
import styles from "./MapPage.module.css";

export interface ChosenNodeProps {
  readonly node: Node;
  readonly site: Site | undefined;
  readonly canDraw: boolean;
  readonly onShow: (change: Partial<MapAddress>) => void;
}

/** So near that the place is a place of its own. */
const nearZoom = 6;

/** The node that was chosen: ringed on the map, and from here its page is a press away. */
export function ChosenNode({ node, site, canDraw, onShow }: ChosenNodeProps) {
  const { name, id } = node;
  return (
    <section className={styles.chosen} aria-label="Chosen node">
      <div>
        <p role="status">
          <code>{name}</code> <StateMark {...sayStanding(node, Date.now())} />
        </p>
        <p className={styles.where}>{sayWhere(site)}</p>
      </div>
      <IconButton
        size="small"
        label={`Let go of ${name}`}
        icon={<X aria-hidden="true" />}
        onClick={() => onShow({ node: undefined })}
      />
      <div className={styles.acts}>
        <ButtonLink size="small" href={`/nodes/${id}`}>
          Open {name}
        </ButtonLink>
        {canDraw && site !== undefined && (
          <Button
            size="small"
            onClick={() =>
              onShow({
                view: { latitude: site.latitude, longitude: site.longitude, zoom: nearZoom },
                isPlaceless: false,
              })
            }
          >
            Go there
          </Button>
        )}
      </div>
    </section>
  );
}

function sayWhere(site: Site | undefined): string {
  if (site === undefined) return "It has no place.";
  const { label, latitude, longitude, nodes } = site;
  const where = `${latitude.toFixed(2)}, ${longitude.toFixed(2)}`;
  const rest = nodes.length - 1;
  const others = rest === 0 ? "" : ` with ${rest.toLocaleString("en-GB")} ${rest === 1 ? "other" : "others"}`;
  return `${label === null ? where : `${label} (${where})`}${others}`;
}
