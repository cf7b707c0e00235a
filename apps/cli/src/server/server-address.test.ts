import { expect, test } from "vitest";
import { chooseServer, parseServer } from "./server-address.ts";

test.each([
  ["http://127.0.0.1:8088", "http://127.0.0.1:8088"],
  ["http://127.9.9.9", "http://127.9.9.9"],
  ["http://localhost:8088/", "http://localhost:8088"],
  ["http://[::1]:8088", "http://[::1]:8088"],
  ["https://gatehouse.example.com", "https://gatehouse.example.com"],
  ["HTTPS://Gatehouse.Example.com:443/", "https://gatehouse.example.com"],
  ["https://192.0.2.7:8443", "https://192.0.2.7:8443"],
])("%s is a server", (text, origin) => {
  expect(parseServer(text).origin).toBe(origin);
});

test.each([
  ["http://gatehouse.example.com", "plain http is for loopback only"],
  ["http://192.168.1.1:8088", "plain http is for loopback only"],
  ["http://127.0.0.1.example.com", "plain http is for loopback only"],
  ["http://localhost.example.com", "plain http is for loopback only"],
  ["http://0.0.0.0:8088", "plain http is for loopback only"],
  ["http://[::ffff:192.0.2.1]", "plain http is for loopback only"],
  ["http://localhost@evil.example.com", "no address of a server needs"],
  ["https://ada:secret@gatehouse.example.com", "no address of a server needs"],
  ["https:\\\\gatehouse.example.com", "no address of a server needs"],
  ["https://gatehouse.example.com/console", "behind its port"],
  ["https://gatehouse.example.com/?x=1", "behind its port"],
  ["https://gatehouse.example.com/#x", "behind its port"],
  ["gatehouse.example.com", "is not an http or https URL"],
  ["localhost:8088", "is not an http or https URL"],
  ["ftp://localhost", "is not an http or https URL"],
  ["file:///etc/passwd", "is not an http or https URL"],
  ["", "is not an http or https URL"],
])("%s is refused", (text, problem) => {
  expect(() => parseServer(text)).toThrow(problem);
});

test("an option wins over the environment, and that over the server on this machine", () => {
  const environment = { GATEHOUSE_SERVER: "https://b.example.com" };
  expect(chooseServer("https://a.example.com", { environment }).host).toBe("a.example.com");
  expect(chooseServer(undefined, { environment }).host).toBe("b.example.com");
  expect(chooseServer(undefined, { environment: { GATEHOUSE_SERVER: "" } }).origin).toBe("http://127.0.0.1:8088");
});

test("a Node that was told to take any certificate is not used", () => {
  const environment = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
  expect(() => chooseServer("https://a.example.com", { environment })).toThrow("NODE_TLS_REJECT_UNAUTHORIZED");
  expect(chooseServer("http://127.0.0.1:8088", { environment }).port).toBe("8088");
});
