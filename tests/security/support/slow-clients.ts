import { connect, type Socket } from "node:net";

/**
 * The attacker, as a program of its own so that it takes no time from the client that is measured:
 * `slow-clients.ts PORT CONNECTIONS BAD_PER_SECOND SECONDS`. Prints what it did as JSON when it ends.
 */
const [port = 0, wanted = 0, badPerSecond = 0, seconds = 0] = process.argv.slice(2).map(Number);
const counts = { opened: 0, mostHeld: 0, closedByServer: 0, refused: 0, badHandshakes: 0 };
const held = new Set<Socket>();
let isOver = false;

/** What a slow client says at once, and what it goes on saying byte by byte. */
const habits = [
  { begins: "", goesOn: "" },
  { begins: "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ", goesOn: "a" },
  {
    begins:
      "POST /api/csp-reports HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n",
    goesOn: " ",
  },
  {
    begins:
      "POST /api/csp-reports HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
    goesOn: "1\r\n \r\n",
  },
  { begins: "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".repeat(20), goesOn: "" },
];
const nonsense = [
  Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]),
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  Buffer.from("GET / HTTP/1.1\r\nBad Header\r\n\r\n"),
  Buffer.from([0, 1, 2, 3, 255]),
  Buffer.alloc(0),
];

function openSlow(number: number): void {
  const habit = habits[number % habits.length];
  if (habit === undefined || isOver) return;
  const socket = connect({ port, host: "127.0.0.1", localAddress: `127.0.0.${1 + (number % 200)}` });
  // A reader that never reads: nothing is taken from the socket.
  socket.pause();
  socket.on("connect", () => {
    counts.opened += 1;
    held.add(socket);
    counts.mostHeld = Math.max(counts.mostHeld, held.size);
    if (habit.begins !== "") socket.write(habit.begins);
  });
  const drip = setInterval(() => {
    if (habit.goesOn !== "" && socket.writable) socket.write(habit.goesOn);
  }, 1_000);
  socket.on("error", () => {
    counts.refused += Number(!held.has(socket));
  });
  socket.on("close", () => {
    clearInterval(drip);
    if (held.delete(socket) && !isOver) counts.closedByServer += 1;
    // As often as it is thrown out it comes back, but not faster than a second.
    if (!isOver) setTimeout(openSlow, 1_000, number);
  });
}

function sendNonsense(): void {
  counts.badHandshakes += 1;
  const bytes = nonsense[counts.badHandshakes % nonsense.length] ?? Buffer.alloc(0);
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => undefined);
  socket.on("connect", () => socket.end(bytes));
  socket.resume();
  setTimeout(() => socket.destroy(), 500);
}

let started = 0;
const ramp = setInterval(() => {
  for (let n = 0; n < 100 && started < wanted; n += 1) openSlow(started++);
}, 25);
const flood = setInterval(() => {
  for (let n = 0; n < badPerSecond / 20; n += 1) sendNonsense();
}, 50);
process.stdout.write("begun\n");
setTimeout(() => {
  isOver = true;
  clearInterval(ramp);
  clearInterval(flood);
  process.stdout.write(`${JSON.stringify(counts)}\n`);
  process.exit(0);
}, seconds * 1_000);
