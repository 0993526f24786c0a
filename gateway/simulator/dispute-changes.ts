import type { WireDispute, WireDisputeChange } from '../wire-disputes.ts';
import type { Queryable, Tx } from './database.ts';
import type { Payment } from './payments.ts';

export type DisputeChange = Omit<WireDisputeChange, 'occurred_at'> & { readonly occurredAt: Date };

/** Records a change of a dispute, for inquiries. */
export async function addDisputeChange(
  tx: Tx,
  { account, reference }: Payment,
  { state, amount_centavos, dispute, occurredAt }: DisputeChange,
): Promise<void> {
  await tx.query({
    name: 'add-dispute-change',
    text: `insert into simulator.dispute_changes (account, reference, state, amount_centavos, dispute, occurred_at)
      values ($1, $2, $3, $4, $5, $6)`,
    values: [account, reference, state, amount_centavos, JSON.stringify(dispute), occurredAt],
  });
}

/** What has happened in the disputes of a payment, in order. */
export async function disputeChangesOf(
  q: Queryable,
  { account, reference }: Payment,
): Promise<WireDisputeChange[]> {
  const { rows } = await q.query<ChangeRow>({
    name: 'dispute-changes',
    text: `select state, amount_centavos, dispute, occurred_at from simulator.dispute_changes
      where account = $1 and reference = $2 order by position`,
    values: [account, reference],
  });
  return rows.map((row) => ({
    state: row.state,
    amount_centavos: Number(row.amount_centavos),
    occurred_at: row.occurred_at.toISOString(),
    dispute: row.dispute,
  }));
}

interface ChangeRow {
  state: WireDisputeChange['state'];
  amount_centavos: string;
  dispute: WireDispute;
  occurred_at: Date;
}
