import { computeRows } from "./pass-role-compute.ts";
import { dataRows } from "./pass-role-data.ts";
import type { PassRoleRow } from "./pass-role-row.ts";

export const passRoleRows: readonly PassRoleRow[] = [...computeRows, ...dataRows];
