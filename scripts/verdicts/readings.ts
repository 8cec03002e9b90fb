/** Findings on managed policies that a person drew at random and read: test/judged/readings/*.yaml. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { judgedFolder } from "./entries.ts";

const Readings = z.array(
  z.strictObject({
    policy: z.string(),
    check_id: z.string(),
    issue_type: z.string(),
    severity: z.string(),
    path: z.string(),
    reading: z
      .enum(["right", "false", "wrong severity", "not worth acting on"])
      .describe("right: true, at the right severity, and worth acting on."),
    why: z.string().min(1),
  }),
);

/** @returns the readings as a Markdown section; nothing when there are none. */
export function readingsTable(): string[] {
  const folder = join(judgedFolder, "readings");
  if (!existsSync(folder)) return [];
  const readings = readdirSync(folder)
    .sort()
    .flatMap((file) => Readings.parse(parse(readFileSync(join(folder, file), "utf8"))));
  const right = readings.filter(({ reading }) => reading === "right").length;
  const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
  return [
    "## Findings read by hand",
    "",
    `${right} of ${readings.length} findings on managed policies, drawn at random, are true, at the right severity and worth acting on.`,
    "",
    "| policy | finding | place | reading | why |",
    "| --- | --- | --- | --- | --- |",
    ...readings.map(
      (r) =>
        `| ${r.policy} | ${r.severity} ${r.check_id}/${r.issue_type} | \`${r.path}\` | ${r.reading} | ${cell(r.why)} |`,
    ),
  ];
}
