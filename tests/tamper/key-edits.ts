import { type Edit, type FileEdits, otherDigest } from "./edit.ts";

function key(name: string, make: (...args: Parameters<Edit["make"]>) => string | null): Edit {
  return {
    name,
    make: (...args) => {
      const text = make(...args);
      return { bytes: text === null ? null : Buffer.from(text), how: name };
    },
  };
}

const name = "master.key";

export const keyEdits: FileEdits = {
  file: name,
  edits: [
    key("the key of another installation", (_, { other }) => other.files[name].toString("latin1")),
    key("a key of one's own", (random) => `${otherDigest(random)}\n`),
    key("one digit is another", (random, { own }) => {
      const digits = Array.from(own.files[name].toString("latin1"));
      const at = random.below(64);
      digits[at] = ((Number.parseInt(digits[at] ?? "0", 16) + 1 + random.below(15)) % 16).toString(16);
      return digits.join("");
    }),
    key("the key is cut", (random, { own }) => own.files[name].toString("latin1").slice(0, random.below(65))),
    key("the key is continued", (random, { own }) => `${own.files[name].toString("latin1")}${otherDigest(random)}\n`),
    key("two keys", (random, { own }) => `${otherDigest(random)}\n${own.files[name].toString("latin1")}`),
    key("what state.json says of its key", (_, { own }) => {
      const check = /"keyCheck":"([0-9a-f]{64})"/.exec(own.files["state.json"].toString("latin1"))?.[1];
      return `${check}\n`;
    }),
    key("the key is empty", () => ""),
    key("the key is gone", () => null),
  ],
};
