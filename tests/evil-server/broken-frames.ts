const [text, binary, close, ping] = [1, 2, 8, 9];
const last = 0x80;

/** A frame with any first byte, and with the length that it is said to have. */
function wireFrame(first: number, body: Uint8Array, said = body.byteLength): Uint8Array {
  const head = said < 126 ? [first, said] : [first, 126, said >> 8, said & 255];
  return Buffer.concat([Uint8Array.from(head), body]);
}

const beat = Buffer.from('{"t":"beat-ack","seq":0}');
const mask = Uint8Array.from([1, 2, 3, 4]);
const pieces = Array.from({ length: 20_000 }, () => wireFrame(0, Buffer.from(" ")));

/** Whatever breaks the rules of the connection itself, from the server's side. */
export const brokenFrames: Readonly<Record<string, Uint8Array>> = {
  "a kind of frame that is not there": wireFrame(last | 3, beat),
  "a reserved bit": wireFrame(last | 0x40 | text, beat),
  "a masked frame": Buffer.concat([Uint8Array.from([last | text, 0x80 | 4]), mask, Buffer.alloc(4)]),
  "a piece without a beginning": wireFrame(last, beat),
  "a beginning inside of another": Buffer.concat([wireFrame(text, beat), wireFrame(text, beat)]),
  "pieces without an end": Buffer.concat([wireFrame(text, beat), ...pieces]),
  "a text that is none": wireFrame(last | text, Uint8Array.from([0xff, 0xfe, 0xc0, 0x80])),
  "a ping of many bytes": wireFrame(last | ping, Buffer.alloc(200)),
  "a ping in pieces": wireFrame(ping, beat),
  "a goodbye of one byte": wireFrame(last | close, Buffer.alloc(1)),
  "a goodbye that nobody may say": wireFrame(last | close, Uint8Array.from([3, 237])),
  "a length of a gibibyte": Uint8Array.from([last | binary, 127, 0, 0, 0, 0, 64, 0, 0, 0, 1, 2, 3]),
  "a length of 2^63": Uint8Array.from([last | binary, 127, 128, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3]),
  "a request": Buffer.from("GET / HTTP/1.1\r\nhost: x\r\n\r\n"),
  "half a frame": wireFrame(last | text, beat, 200),
  nothing: new Uint8Array(),
};
