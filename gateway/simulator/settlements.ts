import type { SettlementLine, SettlementType } from '../../domain/ledger/settlement.ts';
import { endOfMerchantDay, startOfMerchantDay } from '../../domain/local-time.ts';
import { writeSettlementFile } from '../settlement-file.ts';
import type { Queryable, Tx } from './database.ts';

/** A refund or a dispute as a settlement file lists it. The capture of a payment is in the payment. */
export type Settlement = SettlementLine & { readonly account: string };

/** Adds a line to the settlement file of its day. */
export async function addSettlement(tx: Tx, settlement: Settlement): Promise<void> {
  const { account, reference, type, amount_centavos, occurredAt } = settlement;
  if (amount_centavos === 0) return;
  await tx.query({
    name: 'add-settlement',
    text: `insert into simulator.settlements (account, reference, type, amount_centavos, occurred_at)
      values ($1, $2, $3, $4, $5)`,
    values: [account, reference, type, amount_centavos, occurredAt],
  });
}

/** The settlement file of a day in São Paulo, by the account's time. */
export async function settlementFile(q: Queryable, account: string, day: string): Promise<string> {
  const { rows } = await q.query<SettlementRow>({
    name: 'settlement-file',
    text: `select reference, 'capture' as type, captured_centavos as amount_centavos, captured_at as occurred_at
        from simulator.payments where account = $1 and captured_at >= $2 and captured_at < $3
      union all
      select reference, type, amount_centavos, occurred_at
        from simulator.settlements where account = $1 and occurred_at >= $2 and occurred_at < $3
      order by occurred_at, reference, type`,
    values: [account, startOfMerchantDay(day), endOfMerchantDay(day)],
  });
  return writeSettlementFile(
    rows.map((row) => ({
      reference: row.reference,
      type: row.type,
      amount_centavos: Number(row.amount_centavos),
      occurredAt: row.occurred_at,
    })),
  );
}

interface SettlementRow {
  reference: string;
  type: SettlementType;
  amount_centavos: string;
  occurred_at: Date;
}
