import { planLimits } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { openRoomClaims, spareBytes } from "./room-claims.ts";

const disk = (device: number, directory: string, free = spareBytes + 100) => ({ device, directory, free });

test("what several programs take of one disk is added up, wherever on it they lie", () => {
  const claims = openRoomClaims();
  claims.claimRoom(disk(1, "/opt"), 60);
  claims.claimRoom(disk(1, "/var/lib"), 40);
  claims.claimRoom(disk(2, "/srv"), 100);
  expect(() => claims.claimRoom(disk(1, "/usr/local"), 1)).toThrow(
    `validate.failed: /usr/local: expected ${spareBytes + 101} bytes of room, found ${spareBytes + 100}`,
  );
});

test("no change replaces more than can be put back in time", () => {
  const claims = openRoomClaims();
  claims.claimReturn("/opt/a", planLimits.artifactBytes - 1);
  claims.claimReturn("/opt/b", 1);
  expect(() => claims.claimReturn("/opt/c", 1)).toThrow(
    /^validate\.failed: programs to be replaced: expected at most \d+ .* with \/opt\/c$/,
  );
});
