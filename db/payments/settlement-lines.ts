import type { FiledLine, SettlementLine, SettlementType } from '../../domain/ledger/settlement.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable, Tx } from '../engine/database.ts';
import { rowList } from '../engine/row-list.ts';

/** A file can have a million lines. */
const LINES_PER_STATEMENT = 5_000;

const TYPES = {
  reference: 'text',
  type: 'text',
  day: 'date',
  ordinal: 'integer',
  amount_centavos: 'bigint',
  occurred_at: 'timestamptz',
} as const;
const COLUMNS = Object.keys(TYPES);

/** Stores the lines of the file of a day, in place of those of an earlier comparison. */
export async function storeSettlementLines(
  tx: Tx,
  scope: MerchantScope,
  day: string,
  lines: readonly SettlementLine[],
): Promise<void> {
  await tx.execute(scope, 'delete from settlement_lines where {scope} and day = :day', { day });
  const stored = numbered(day, lines);
  for (let from = 0; from < stored.length; from += LINES_PER_STATEMENT) {
    const rows = rowList('n', TYPES, stored.slice(from, from + LINES_PER_STATEMENT));
    await tx.execute(
      scope,
      `insert into settlement_lines (slot, merchant_id, ${COLUMNS.join(', ')})
       select :slot, :merchant_id, ${COLUMNS.map((column) => `n.${column}`).join(', ')} from ${rows.sql}
       on conflict (slot, merchant_id, reference, type, day, ordinal)
         do update set amount_centavos = excluded.amount_centavos, occurred_at = excluded.occurred_at`,
      rows.params,
    );
  }
}

function numbered(day: string, lines: readonly SettlementLine[]) {
  const counts = new Map<string, number>();
  return lines.map(({ reference, type, amount_centavos, occurredAt }) => {
    const key = `${type} ${reference}`;
    const ordinal = (counts.get(key) ?? 0) + 1;
    counts.set(key, ordinal);
    return { reference, type, day, ordinal, amount_centavos, occurred_at: occurredAt };
  });
}

interface SettlementLineRow {
  reference: string;
  type: SettlementType;
  day: string;
  amount_centavos: number;
  occurred_at: Date;
}

/** The lines with these references in all files that were compared. */
export async function storedSettlementLines(
  q: Queryable,
  scope: MerchantScope,
  references: readonly string[],
): Promise<FiledLine[]> {
  const rows = await q.rows<SettlementLineRow>(
    scope,
    `select reference, type, day, amount_centavos, occurred_at from settlement_lines
      where {scope} and reference = any(:references) order by day, ordinal`,
    { references },
  );
  return rows.map(({ occurred_at, ...row }) => ({ ...row, occurredAt: occurred_at }));
}
