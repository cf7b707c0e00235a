/**
 * Bytes piece by piece. fetch waits five minutes for an answer from when its last piece went out: handed over whole they would be one
 * piece, and have to arrive within that.
 */
export function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.byteLength) return controller.close();
      controller.enqueue(bytes.subarray(at, at + pieceBytes));
      at += pieceBytes;
    },
  });
}

const pieceBytes = 64 * 1024;
