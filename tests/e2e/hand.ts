import type { Locator, Page } from "playwright-core";
import { afterFrames, focusedWords, holdsFocus, holdsFocusedRow, isFocused } from "./in-page.js";
import { until } from "../support/until.ts";

/** How somebody uses the page. Both hands can do the same things, or the page is not complete. */
export interface Hand {
  readonly kind: "mouse" | "keyboard";
  press(target: Locator): Promise<void>;
  write(target: Locator, text: string): Promise<void>;
  /** A radio button or a checkbox. */
  choose(target: Locator): Promise<void>;
  /** An option of a native select, by its value. */
  select(target: Locator, value: string): Promise<void>;
  /** Opens a row of a table by the words in it. */
  openRow(table: Locator, words: string | RegExp): Promise<void>;
  /** Goes to a page of the rail. */
  goTo(place: string): Promise<void>;
}

export function mouse(page: Page, isTouch: boolean): Hand {
  const pressAt = (target: Locator, at: Parameters<Locator["click"]>[0] = {}) =>
    isTouch ? target.tap(at) : target.click(at);
  const press = (target: Locator) => pressAt(target);
  return {
    kind: "mouse",
    press,
    write: (target, text) => target.fill(text),
    choose: async (target) => {
      await press(target);
      await until("a press chooses it", () => target.isChecked());
    },
    select: async (target, value) => void (await target.selectOption(value)),
    openRow: async (table, words) => {
      const row = table.getByRole("row").filter({ hasText: words }).first();
      const box = await row.boundingBox();
      // At its left edge, beside whatever links its cells hold: those go elsewhere.
      await pressAt(row, { position: { x: 5, y: (box?.height ?? 0) / 2 } });
    },
    goTo: async (place) => press(await entryOf(page, place, press)),
  };
}

const mostTabs = 160;

/** Tab, arrows, Enter, Space and letters: nothing is clicked and nothing is focused by a script. */
export function keyboard(page: Page): Hand {
  const { keyboard: keys } = page;
  const reach = async (target: Locator, isThere: (element: unknown) => boolean = isFocused) => {
    await target.waitFor();
    for (let tabs = 0; tabs <= mostTabs; tabs += 1) {
      // Whatever closed or opened just now may still move the focus: who presses a key first sees it at rest.
      if ((await target.evaluate(isThere)) && (await isThereAtRest(target, isThere))) return;
      await keys.press("Tab");
    }
    throw new Error(
      `${mostTabs} Tabs do not reach ${String(target)}; the focus is on ${await page.evaluate(focusedWords)}`,
    );
  };
  const isThereAtRest = async (target: Locator, isThere: (element: unknown) => boolean) => {
    await page.evaluate(afterFrames);
    return target.evaluate(isThere);
  };
  const press = async (target: Locator) => {
    await reach(target);
    await keys.press("Enter");
  };
  return {
    kind: "keyboard",
    press,
    write: async (target, text) => {
      await reach(target);
      await keys.press("Control+A");
      // Nothing typed would leave what is there.
      await (text === "" ? keys.press("Delete") : keys.type(text));
    },
    choose: async (target) => {
      if ((await target.getAttribute("type")) !== "radio") {
        await reach(target);
        await keys.press("Space");
        return until("Space chooses it", () => target.isChecked());
      }
      await reach(target.locator("xpath=ancestor::fieldset"), holdsFocus);
      await repeat(12, "ArrowDown", () => target.isChecked());
    },
    select: async (target, value) => {
      await reach(target);
      // Every choice takes effect by the address, and only then stands in the field: the next key comes after it.
      for (let key = "Home"; (await target.inputValue()) !== value; key = "ArrowDown") {
        const before = await target.inputValue();
        const first = await target.locator("option").first().getAttribute("value");
        const last = await target.locator("option").last().getAttribute("value");
        if (key === "ArrowDown" && before === last) throw new Error(`there is no choice ${value}`);
        await keys.press(key);
        if (key === "Home" && before === first) continue;
        await until(`${key} changes the choice`, async () => (await target.inputValue()) !== before);
      }
    },
    openRow: async (table, words) => {
      const row = table.getByRole("row").filter({ hasText: words }).first();
      await row.waitFor();
      await reach(table.locator("tbody"), holdsFocusedRow);
      await repeat(100, "ArrowDown", () => row.evaluate(isFocused));
      await keys.press("Enter");
    },
    goTo: async (place) => press(await entryOf(page, place, press)),
  };

  async function repeat(most: number, key: string, isDone: () => Promise<boolean>): Promise<void> {
    for (let times = 0; times <= most; times += 1) {
      if (await isDone()) return;
      await keys.press(key);
    }
    throw new Error(`${most} times ${key} was not enough; the focus is on ${await page.evaluate(focusedWords)}`);
  }
}

/** The entry in the rail, or in the sheet that a phone shows instead. */
async function entryOf(page: Page, place: string, press: (target: Locator) => Promise<void>): Promise<Locator> {
  const opener = page.getByRole("button", { name: "Navigation", exact: true });
  const rail = page.getByRole("navigation", { name: "Main" });
  await rail.or(opener).filter({ visible: true }).first().waitFor();
  if (await opener.isVisible()) await press(opener);
  return rail.filter({ visible: true }).getByRole("link", { name: place, exact: true });
}
