import { connect, type Socket } from "node:net";

/**
 * The attacker, as a program of its own so that it takes no time from the client beside it: `slow-clients.ts PORT CLIENTS
 * HANDSHAKES`. Says `held` when all slow clients are there, `sent` when all handshakes are over, and `dismissed` when
 * everybody who does not finish a request was thrown out. Goes on until its input ends; then it tells what it did as JSON.
 */
const [port = 0, wanted = 0, handshakes = 0] = process.argv.slice(2).map(Number);
const counts = { opened: 0, mostHeld: 0, closedByServer: 0, refused: 0, badHandshakes: 0 };
const held = new Set<Socket>();
const arrived = new Set<number>();
const dismissed = new Set<number>();
let isOver = false;

/** What a slow client says at once, and what it goes on saying byte by byte. */
const habits = [
  { isUnfinished: true, begins: "", goesOn: "" },
  { isUnfinished: true, begins: "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ", goesOn: "a" },
  {
    isUnfinished: true,
    begins:
      "POST /api/csp-reports HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n",
    goesOn: " ",
  },
  {
    isUnfinished: true,
    begins:
      "POST /api/csp-reports HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
    goesOn: "1\r\n \r\n",
  },
  { isUnfinished: false, begins: "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".repeat(20), goesOn: "" },
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
  // One that has asked for something never reads the answers; the others have to hear that they are thrown out.
  if (habit.isUnfinished) socket.resume();
  else socket.pause();
  socket.on("connect", () => {
    counts.opened += 1;
    held.add(socket);
    say("held", arrived, number, wanted);
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
    if (held.delete(socket) && !isOver) {
      counts.closedByServer += 1;
      if (habit.isUnfinished) say("dismissed", dismissed, number, unfinished);
    }
    // As often as it is thrown out it comes back, but not faster than a second.
    if (!isOver) setTimeout(openSlow, 1_000, number);
  });
}

/** Says the word when the last of them has joined the others. */
function say(word: string, all: Set<number>, number: number, size: number): void {
  if (all.has(number)) return;
  all.add(number);
  if (all.size === size) process.stdout.write(`${word}\n`);
}

/** One after the other, each to its end: the server closes what it cannot read. */
function sendNonsense(): void {
  if (counts.badHandshakes === handshakes) return void process.stdout.write("sent\n");
  counts.badHandshakes += 1;
  const bytes = nonsense[counts.badHandshakes % nonsense.length] ?? Buffer.alloc(0);
  const socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => undefined);
  socket.on("connect", () => socket.end(bytes));
  socket.on("close", sendNonsense);
  socket.resume();
}

const unfinished = Array.from({ length: wanted }, (_, number) => habits[number % habits.length]).filter(
  (habit) => habit?.isUnfinished,
).length;
let started = 0;
const ramp = setInterval(() => {
  for (let n = 0; n < 100 && started < wanted; n += 1) openSlow(started++);
}, 25);
sendNonsense();
process.stdin.resume().on("end", () => {
  isOver = true;
  clearInterval(ramp);
  process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit(0));
});
