/** One figure: what, how much, and the goal it is held against. */
export interface Row {
  readonly [column: string]: string | number;
}

export interface Table {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** What one part of the bench found. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** What the figures are of, one sentence; docs/performance.md has the rest. */
  readonly about: string;
  readonly tables: readonly Table[];
}

function shown(value: string | number): string {
  if (typeof value === "string") return value;
  if (Number.isInteger(value)) return value.toLocaleString("en-US");
  return value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toPrecision(3);
}

function tableText({ title, rows }: Table): string {
  const [first] = rows;
  if (!first) return "";
  const columns = Object.keys(first);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    `**${title}**`,
    "",
    line(columns),
    line(columns.map((name) => (typeof first[name] === "number" ? "---:" : "---"))),
    ...rows.map((row) => line(columns.map((name) => shown(row[name] ?? "")))),
    "",
  ].join("\n");
}

export function sectionText({ title, about, tables }: Section): string {
  return [`## ${title}`, "", about, "", ...tables.map(tableText)].join("\n");
}
