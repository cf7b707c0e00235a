// Asks the server how it is, and says so in words. No framework: the dashboard will bring one.

const every = 10_000;
const byId = (id) => document.getElementById(id);

/** The answer of one route, or why there is none. A server that hangs is a server that does not answer. */
async function ask(path) {
  const started = performance.now();
  try {
    const response = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(5_000) });
    const body = await response.json().catch(() => ({}));
    return { ok: response.ok, status: response.status, body };
  } catch {
    return { ok: false, status: 0, body: {} };
  } finally {
    time(path, Math.round(performance.now() - started));
  }
}

/** Contract 5.2: every call is timed in the console; slow ones are warnings, and the latest 50 are kept. */
const slow = [];
window.__latticePerf = slow;
function time(path, ms) {
  const isSlow = ms > 1_000;
  // oxlint-disable-next-line no-console
  console[isSlow ? "warn" : "debug"](`GET ${path} ${ms} ms`);
  if (isSlow) slow.push({ method: "GET", path, ms, at: new Date().toISOString() });
  if (slow.length > 50) slow.shift();
}

function show(name, mark, words, ...more) {
  byId(`${name}-mark`)?.setAttribute("href", `#mark-${mark}`);
  const second = more.filter(Boolean).map((line) => {
    const small = document.createElement("span");
    small.className = "second";
    small.textContent = line;
    return small;
  });
  byId(name).replaceChildren(words, ...second);
}

/** Says what each state means for the reader; the sentence is chosen by the worst of them. */
function showState(health, ready) {
  const alive = health.ok && health.body.status === "ok";
  if (alive) show("health", "ok", "Alive");
  else show("health", "bad", health.status === 0 ? "No answer" : `Answered ${health.status}`);

  if (ready.ok) show("ready", "ok", "Changes can be written");
  else if (ready.status === 0) show("ready", "bad", "No answer");
  else show("ready", "warn", ready.body.title ?? `Answered ${ready.status}`, ready.body.todo);

  let sentence = "This server is ready.";
  if (!ready.ok) sentence = "This server is not ready.";
  if (!alive) sentence = "This server does not answer.";
  // Written only when it changed, so that a screen reader does not repeat it.
  if (byId("say").textContent !== sentence) byId("say").textContent = sentence;
  byId("checked").textContent = `at ${new Date().toLocaleTimeString("en-GB")}`;
  return alive;
}

function showVersion({ ok, body }) {
  if (!ok) return show("version", "", "Unknown");
  const known = (value) => value !== undefined && value !== "unknown";
  return show(
    "version",
    "",
    `${body.version} ${body.channel}`,
    known(body.commit) && `commit ${body.commit.slice(0, 12)}`,
    known(body.builtAt) && `built ${body.builtAt.slice(0, 16).replace("T", " ")} UTC`,
    known(body.node) && `Node ${body.node}`,
  );
}

let wasAlive = false;
async function refresh() {
  const [health, ready] = await Promise.all([ask("/api/health"), ask("/api/ready")]);
  const alive = showState(health, ready);
  // After an outage another version may have come up.
  if (alive && !wasAlive) showVersion(await ask("/api/version"));
  wasAlive = alive;
}

/** One question at a time, none while nobody looks. */
async function watch() {
  if (!document.hidden) await refresh();
  setTimeout(watch, every);
}

function offerThemes() {
  const chosen = document.documentElement.dataset.theme ?? "system";
  for (const input of document.querySelectorAll("input[name=theme]")) {
    input.checked = input.value === chosen;
    input.addEventListener("change", () => {
      document.dispatchEvent(new CustomEvent("gatehouse-theme", { detail: input.value }));
    });
  }
}

offerThemes();
document.addEventListener("visibilitychange", () => void (document.hidden || refresh()));
await watch();
