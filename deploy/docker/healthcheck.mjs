// Asks the server that runs in this container, wherever SERVICE_LISTEN put it.
const port = (process.env.SERVICE_LISTEN ?? "127.0.0.1:8088").split(":").at(-1);
const healthy = await fetch(`http://127.0.0.1:${port}/api/health`).then(
  (response) => response.ok,
  () => false,
);
process.exit(healthy ? 0 : 1);
