import { describe, expect, test } from "vitest";
import { openDecide } from "@gatehouse/store/decide";
import { announcedOf, bytes, digestOf, refusalCode, setUpArtifacts } from "./artifact-cases.ts";
import { artifactIdOf } from "./artifact-id.ts";
import { requireArtifacts } from "./judge-planned.ts";
import { artifactsLimits } from "./limits.ts";

const half = 512 * 1024 * 1024;

describe("an announced artifact", () => {
  test("is one by its bytes: the same facts are the same, others are refused", async () => {
    const artifacts = await setUpArtifacts();
    const first = await artifacts.announce();
    expect(first).toMatchObject({ isNew: true, artifact: { value: { id: artifacts.id, parts: [], by: "usr_ada" } } });
    expect(await artifacts.announce()).toMatchObject({ isNew: false, artifact: { value: first.artifact.value } });
    for (const more of [{ name: "nginx" }, { version: "2.8.5" }, { publisher: "other" }, { size: 22 }]) {
      expect(await refusalCode(artifacts.announce(announcedOf(bytes, more)))).toBe("artifact.differs");
    }
    const { publisher: _, ...facts } = announcedOf(bytes) as { publisher: string };
    const release = { ...facts, kind: "release", name: "gatehouse-agent" } as ReturnType<typeof announcedOf>;
    expect(await refusalCode(artifacts.announce(release))).toBe("artifact.differs");
    expect(await artifacts.actions()).toEqual(["artifact.announced"]);
  });

  test("is one for those who announce it at once", async () => {
    const artifacts = await setUpArtifacts();
    const all = await Promise.all([artifacts.announce(), artifacts.announce(), artifacts.announce()]);
    expect(all.filter(({ isNew }) => isNew)).toHaveLength(1);
  });

  test("finds room among the others, or is refused", async () => {
    const artifacts = await setUpArtifacts();
    const large = (n: number) => announcedOf(bytes, { sha256: digestOf(Buffer.from([n])), size: half });
    for (let n = 0; n < artifactsLimits.bytes / half; n += 1) await artifacts.announce(large(n));
    expect(await refusalCode(artifacts.announce(announcedOf(Buffer.from("x"))))).toBe("artifact.quota");
    // One that is there needs no room.
    expect((await artifacts.announce(large(0))).isNew).toBe(false);
  });

  test("has an id that follows from its digest alone", () => {
    expect(artifactIdOf("0".repeat(64))).toBe(`artifact_${"0".repeat(26)}`);
    expect(artifactIdOf("f".repeat(64))).toBe(`artifact_${"z".repeat(26)}`);
    expect(artifactIdOf(`${"0".repeat(32)}4${"0".repeat(31)}`)).toBe(`artifact_${"0".repeat(25)}1`);
  });
});

describe("an artifact that a plan names", () => {
  const named = () => {
    const { name: _n, version: _v, architecture: _a, ...facts } = announcedOf(bytes);
    return facts;
  };

  async function wholeOne() {
    const artifacts = await setUpArtifacts();
    await artifacts.announce();
    for (const number of [0, 1, 2]) await artifacts.bring(number);
    return artifacts;
  }

  test("is here, whole, and what the plan says of it", async () => {
    const artifacts = await setUpArtifacts();
    const judged = (planned: Parameters<typeof requireArtifacts>[1]) =>
      refusalCode(requireArtifacts(artifacts.store, planned));
    expect(await judged([])).toBe("nothing");
    expect(await judged([named()])).toBe("plan.artifact");
    await artifacts.announce();
    for (const number of [0, 1]) await artifacts.bring(number);
    expect(await judged([named()])).toBe("plan.artifact");
    await artifacts.bring(2);
    expect(await judged([named()])).toBe("nothing");
    expect(await judged([announcedOf(bytes)])).toBe("nothing");
    expect(await judged([named(), { sha256: digestOf(Buffer.from("other")), size: 5 }])).toBe("plan.artifact");
  });

  test("is refused for every fact that differs", async () => {
    const { store } = await wholeOne();
    const signature = { keyId: "0b".repeat(16), ed25519: `${"A".repeat(86)}==` };
    const wrong = [
      { kind: "release" },
      { name: "nginx" },
      { version: "2.8.5" },
      { architecture: "arm64" },
      { size: bytes.byteLength + 1 },
      { publisher: "other" },
      { signature },
      { signature: { ...signature, keyId: "0a".repeat(16), ed25519: `${"B".repeat(85)}Q==` } },
    ];
    for (const more of wrong) {
      const planned = { ...announcedOf(bytes), ...more };
      expect(await refusalCode(requireArtifacts(store, [planned])), JSON.stringify(more)).toBe("plan.artifact");
    }
  });

  test("cannot be removed before that plan has ended", async () => {
    const artifacts = await wholeOne();
    artifacts.naming.push("plan_1");
    await expect(artifacts.remove()).rejects.toMatchObject({ code: "artifact.in_use", fields: { plans: ["plan_1"] } });
    artifacts.naming.length = 0;
    await artifacts.remove();
    expect(await artifacts.now()).toBeUndefined();
    expect((await artifacts.actions()).at(-1)).toBe("artifact.removed");
    expect(await refusalCode(artifacts.remove())).toBe("artifact.unknown");
  });

  test("stays when another process makes the plan at the moment in which it is removed", async () => {
    const artifacts = await wholeOne();
    const decideOther = openDecide(artifacts.openOther());
    artifacts.hooks.looked = async () => {
      delete artifacts.hooks.looked;
      await decideOther([], async (read) => {
        const changes = await requireArtifacts(read, [named()]);
        const entry = { at: 0, actor: "usr_ada", action: "plan.forgotten", subject: "plan", outcome: "done" } as const;
        return { entry: { ...entry, detail: { plans: 0 } }, changes, result: () => artifacts.naming.push("plan_1") };
      });
    };
    expect(await refusalCode(artifacts.remove())).toBe("artifact.in_use");
    expect(await artifacts.now()).toBeDefined();
  });

  test("is removed before another process makes the plan: that plan finds none", async () => {
    const artifacts = await wholeOne();
    await expect(
      openDecide(artifacts.openOther())([], async (read) => {
        const changes = await requireArtifacts(read, [named()]);
        if ((await artifacts.now()) !== undefined) await artifacts.remove();
        const entry = { at: 0, actor: "usr_ada", action: "plan.forgotten", subject: "plan", outcome: "done" } as const;
        return { entry: { ...entry, detail: { plans: 0 } }, changes, result: () => "made" };
      }),
    ).rejects.toMatchObject({ code: "plan.artifact" });
  });
});
