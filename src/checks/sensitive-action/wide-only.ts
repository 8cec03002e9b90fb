import type { SensitiveCategoryId } from "./catalogue.ts";

/**
 * Actions that are `high` on every resource, whatever their category says (5.16): customers' data of
 * every bucket, table or key, parameters, and every role. On named resources those of the catalogue
 * have the severity of their category, and the others are not reported.
 */
const byCategory: readonly (readonly [SensitiveCategoryId, string])[] = [
  ["priv_esc", "sts:AssumeRole"],
  [
    "data_access",
    "kms:Decrypt s3:GetObject s3:PutObject s3:DeleteObject dynamodb:Scan dynamodb:BatchGetItem dynamodb:ExportTableToPointInTime dynamodb:BatchWriteItem dynamodb:DeleteItem dynamodb:UpdateItem dynamodb:PutItem ssm:GetParameter ssm:GetParameters ssm:GetParametersByPath ssm:GetParameterHistory",
  ],
];

const categories: ReadonlyMap<string, SensitiveCategoryId> = new Map(
  byCategory.flatMap(([category, names]) =>
    names.split(" ").map((name) => [name.toLowerCase(), category] as const),
  ),
);

/** In lower case. */
export const wideOnlyActions: readonly string[] = [...categories.keys()];

/** @returns the category of an action that is `high` on every resource; undefined for others. */
export function wideOnlyCategory(name: string): SensitiveCategoryId | undefined {
  return categories.get(name.toLowerCase());
}
