import { describe, expect, test } from "vitest";
import type { Finding } from "../../spec/finding.ts";
import type { Check } from "../../src/engine/check.ts";
import type { ServiceData } from "../../src/services/model.ts";
import { type PolicyUnderTest, runCheck, testServices } from "./run-check.ts";

type Expected = Partial<Omit<Finding, "message" | "suggestion" | "example">>;

/** Only the fields given are compared; `at` is short for `statement_index`. */
interface ExpectedFinding extends Expected {
  readonly at?: number;
  readonly message?: string | RegExp;
  readonly suggestion?: string | RegExp | null;
  readonly example?: string | RegExp | null;
}

/** One row of a check's rule book: a policy, and all that the check reports about it, in order. */
export interface CheckCase extends PolicyUnderTest {
  /** A sentence of the manual. */
  readonly name: string;
  readonly findings: readonly ExpectedFinding[];
}

/**
 * Registers one test per case: the check alone, on the real engine.
 * @param services Absent: those of `./service-documents.ts`.
 */
export function checkCases(
  check: Check,
  cases: readonly CheckCase[],
  services: ServiceData = testServices,
): void {
  describe(check.check_id, () => {
    for (const row of cases) {
      test(row.name, async () => {
        const found = await runCheck(check, row, services);
        expect(found).toEqual(row.findings.map(expectation));
      });
    }
  });
}

function expectation({ at, message, suggestion, example, ...rest }: ExpectedFinding): unknown {
  return expect.objectContaining({
    ...rest,
    ...(at === undefined ? {} : { statement_index: at }),
    ...(message === undefined ? {} : { message: text(message) }),
    ...(suggestion === undefined ? {} : { suggestion: text(suggestion) }),
    ...(example === undefined ? {} : { example: text(example) }),
  });
}

function text(expected: string | RegExp | null): unknown {
  return expected instanceof RegExp ? expect.stringMatching(expected) : expected;
}
