import { describe, expect, test } from "vitest";
import { embeddedServices } from "../../services/embedded.ts";
import { expandPattern } from "../../services/match-action.ts";
import { suggestPatterns } from "./suggest-patterns.ts";

const services = embeddedServices();

function suggestions(prefix: string, name: string): readonly string[] {
  const service = services.get(prefix);
  if (!service) throw new Error(`no ${prefix}`);
  return suggestPatterns(
    service,
    name,
    (pattern) => expandPattern(services, pattern).actions.length > 0,
  );
}

describe("suggested patterns", () => {
  test("replace one part by whole words of the names", () => {
    expect(suggestions("ec2", "Decribe*")).toEqual(["ec2:Describe*"]);
    expect(suggestions("s3", "GetObjet*")).toEqual(["s3:GetObject*"]);
    expect(suggestions("ec2", "*Secrity*")).toEqual(["ec2:*Security*"]);
  });

  test("match an action, every one of them", () => {
    for (const pattern of suggestions("s3", "Pet*")) {
      expect(expandPattern(services, pattern).actions, pattern).not.toEqual([]);
    }
    expect(suggestions("s3", "Pet*").length).toBeGreaterThan(1);
  });

  test("are none for a text that is like no word, too short or too long", () => {
    expect(suggestions("s3", "Frob*")).toEqual([]);
    expect(suggestions("s3", "Gt*")).toEqual([]);
    expect(suggestions("s3", "G?tObjct*")).toEqual([]);
    expect(suggestions("s3", "GetObjct*".repeat(100))).toEqual([]);
    expect(suggestions("s3", "Get*Objct*a*b*c")).toEqual([]);
  });
});
