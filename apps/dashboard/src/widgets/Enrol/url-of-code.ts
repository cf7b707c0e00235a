import { readFrame, readText } from "@gatehouse/keys/frame";

/**
 * Where a code says that the server is: the agent will go there, so the agent is downloaded from there too, whatever address this
 * page was opened at. The check digits are for whoever copies a code; this one came straight from the server.
 */
export function urlOfCode(code: string): string | undefined {
  if (!code.startsWith(prefix)) return undefined;
  const bytes = bytesOf(code.slice(prefix.length));
  const fields = bytes && readFrame(bytes.subarray(0, -checkLength), "gatehouse-enrol-code-v1", ["any", 32, 16, 8]);
  return fields && readText(fields[0]);
}

const prefix = "ghe1_";
const checkLength = 4;

function bytesOf(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}
