import { z } from 'zod';
import { canonicalIntent } from '../../operations/intent';

/** One line of the table: what the model wrote, for whom, and which operation that is. */
export interface GoldenRow {
  readonly tenant: string;
  readonly customer: string;
  readonly input: unknown;
  readonly operationId: string;
  /** The canonical text that calls for this operation must share. */
  readonly intent: string;
}

/** The content of a table's file. */
export interface GoldenTable {
  readonly tool: string;
  readonly rows: readonly GoldenRow[];
}

/** Cases that are one operation. It may be meant ("#1043" and "1043"); that it is one is worth a look. */
export interface GoldenTie {
  readonly tenant: string;
  readonly operationId: string;
  /** The cases, as they are named in tests and problems. */
  readonly cases: readonly string[];
}

type Asked = Pick<GoldenRow, 'tenant' | 'customer' | 'input'>;

const tableShape = z.strictObject({
  tool: z.string(),
  rows: z.array(
    z.strictObject({
      tenant: z.string(),
      customer: z.string(),
      input: z.unknown(),
      operationId: z.string(),
      intent: z.string(),
    }),
  ),
});

/** The table, or why the text holds none. */
export function readTable(text: string): GoldenTable | string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return String(error);
  }
  const { data, error } = tableShape.safeParse(json);
  return data ?? z.prettifyError(error);
}

export function tableText(table: GoldenTable): string {
  return `${JSON.stringify(table, null, 2)}\n`;
}

/** The same for the same case, whatever the order of its fields. */
export function caseKey({ tenant, customer, input }: Asked): string {
  return canonicalIntent([tenant, customer, input]);
}

/** How a case is named to people. */
export function caseName({ tenant, customer, input }: Asked): string {
  return `${JSON.stringify(input)} of ${customer} at ${tenant}`;
}

/** IDs are unique per tenant: the same one at two tenants is two operations. */
export function tiesIn(rows: readonly GoldenRow[]): readonly GoldenTie[] {
  const ties = new Map<string, GoldenTie>();
  for (const row of rows) {
    const { tenant, operationId } = row;
    const key = canonicalIntent([tenant, operationId]);
    ties.set(key, { tenant, operationId, cases: [...(ties.get(key)?.cases ?? []), caseName(row)] });
  }
  return [...ties.values()].filter(({ cases }) => cases.length > 1);
}
