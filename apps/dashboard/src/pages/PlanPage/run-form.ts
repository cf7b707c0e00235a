import { type WantedRun, waveLimits } from "@gatehouse/contract";
import { readTags } from "../../widgets/Fleet/tag-text.ts";
import { whenHalts } from "../../widgets/Plans/wave-words.ts";

/** How a plan is to run, as somebody typed it. */
export interface RunForm {
  readonly how: "at-once" | "in-waves";
  readonly canary: string;
  readonly tags: string;
  readonly size: string;
  /** Of one wave. */
  readonly haltAt: string;
  readonly haltIn: "hosts" | "percent";
}

/** As the server does it when nothing is said; in waves, one host goes first. */
export const usualRun: RunForm = { how: "at-once", canary: "1", tags: "", size: "", haltAt: "", haltIn: "hosts" };

export type RunFaults = Partial<Record<"canary" | "tags" | "size" | "haltAt", string>>;

export type ReadRun = { readonly run: WantedRun | undefined } | { readonly wrong: RunFaults };

/** What the server is asked for, or what is wrong in which field. Without a word about it all hosts get the plan at once. */
export function readRunForm(form: RunForm): ReadRun {
  const wrong: RunFaults = {};
  const whole = (field: "canary" | "size" | "haltAt", most: number): number | undefined => {
    const text = form[field].trim();
    if (text === "") return undefined;
    const number = /^[1-9][0-9]{0,5}$/.test(text) ? Number(text) : Number.NaN;
    if (number <= most) return number;
    wrong[field] = `Write a whole number from 1 to ${most.toLocaleString("en-GB")}.`;
    return undefined;
  };
  const at = whole("haltAt", form.haltIn === "percent" ? 100 : waveLimits.hosts);
  const halt = at === undefined ? undefined : form.haltIn === "percent" ? { percent: at } : { after: at };
  if (form.how === "at-once") {
    return hasFaults(wrong) ? { wrong } : { run: halt && { halt } };
  }
  const [canary, size] = [whole("canary", waveLimits.canary), whole("size", waveLimits.hosts)];
  const tags = readTags(form.tags);
  if ("wrong" in tags) wrong.tags = tags.wrong;
  else if (tags.tags.length > waveLimits.tags) wrong.tags = `A plan has at most ${waveLimits.tags} waves by tag.`;
  if (hasFaults(wrong) || "wrong" in tags) return { wrong };
  if (canary === undefined && size === undefined && tags.tags.length === 0) {
    return { wrong: { canary: "Say how many go first, name a tag, or say how many a wave has." } };
  }
  return {
    run: {
      waves: {
        ...(canary !== undefined && { canary }),
        ...(tags.tags.length > 0 && { tags: tags.tags }),
        ...(size !== undefined && { size }),
      },
      ...(halt !== undefined && { halt }),
    },
  };
}

function hasFaults(wrong: RunFaults): boolean {
  return Object.keys(wrong).length > 0;
}

/** What will happen, in words: who gets it in which order, and what ends that. */
export function sayRun({ waves, halt }: WantedRun, hosts: number): { readonly order: string; readonly halt: string } {
  if (waves === undefined) {
    const order = `All ${counted(hosts)} get it at once.`;
    return {
      order,
      halt: halt === undefined ? "Nothing but a person halts it." : `It halts ${whenHalts(halt, false)}.`,
    };
  }
  const { canary = 0, tags = [], size } = waves;
  const groups = [
    ...(canary > 0 ? [`${counted(Math.min(canary, hosts))} first`] : []),
    ...(canary < hosts ? tags.map((tag) => `those tagged ${tag}`) : []),
  ];
  if (groups.length > 0 && canary < hosts) groups.push("the rest");
  const most = size === undefined ? [] : [`${counted(size)} at a time at most`];
  const order = [...(groups.length > 0 ? [groups.join(", then ")] : []), ...most].join("; ");
  return {
    order: `${order.charAt(0).toUpperCase()}${order.slice(1)}.`,
    halt: `It halts ${whenHalts(halt ?? { after: 1 }, true)}.`,
  };
}

function counted(hosts: number): string {
  return `${hosts.toLocaleString("en-GB")} ${hosts === 1 ? "host" : "hosts"}`;
}
