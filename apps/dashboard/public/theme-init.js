// Runs before the first paint, so that nobody sees the wrong theme flash by. Owns the choice: other scripts ask for a
// theme with a `gatehouse-theme` event and never touch the attribute themselves.
(() => {
  const key = "gatehouse-theme";
  const root = document.documentElement;

  // "system" needs no attribute: the style sheet then follows the operating system, also when that changes.
  const show = (choice) => {
    if (choice === "light" || choice === "dark") root.dataset.theme = choice;
    else delete root.dataset.theme;
  };
  const stored = () => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // Storage can be forbidden; the page then follows the system.
    }
  };

  show(stored());
  addEventListener("storage", (event) => {
    if (event.key === key || event.key === null) show(stored());
  });
  document.addEventListener(key, (event) => {
    show(event.detail);
    try {
      localStorage.setItem(key, event.detail);
    } catch {
      // The choice then lasts as long as the page.
    }
  });
})();
