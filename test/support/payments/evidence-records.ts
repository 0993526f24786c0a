import assert from 'node:assert/strict';
import type { PaymentStatus } from '../../../domain/payments/payment.ts';
import type { TestService } from '../service.ts';

interface Disputed {
  status: PaymentStatus;
  chargeback: string;
}

interface Sent {
  id: string;
  state: string;
  text: string;
  /** What the acquirer has under its reference; null if nothing. */
  outcome: string | null;
  their_text: string | null;
}

/** What the acquirer records for a payment that is disputed here. */
const THEIRS: Readonly<Partial<Record<PaymentStatus, string>>> = {
  chargeback_requested: 'requested',
  chargeback_dispute: 'dispute',
  chargeback_lost: 'lost',
};

/**
 * Compares the disputes of a merchant's payments, and the evidence against them, with the acquirer's records. A payment
 * with evidence that is `pending` is left out: the acquirer may have it.
 */
export async function assertEvidenceAgrees(service: TestService, account: string): Promise<void> {
  const rows = <Row>(sql: string) => service.rows<Row>(sql, { account });
  const disputed = await rows<Disputed>(
    `select p.status, t.chargeback from payments p
       join simulator.payments t on t.account = p.merchant_id::text and t.reference = p.reference
      where p.merchant_id = :account and not exists (
        select from disputes d join dispute_evidence e on e.dispute_id = d.id and e.state = 'pending'
         where d.payment_id = p.id)`,
  );
  for (const { status, chargeback } of disputed) {
    const theirs = chargeback === 'won' ? 'none' : chargeback;
    assert.equal(theirs, THEIRS[status] ?? 'none', `the dispute of a payment that is ${status} here`);
  }
  await assertTexts(rows);
}

/** Both sides have each text under one reference, and a dispute has those that were accepted. */
async function assertTexts(rows: <Row>(sql: string) => Promise<Row[]>): Promise<void> {
  const sent = await rows<Sent>(
    `select e.id, e.state, e.text, o.outcome ->> 'status' as outcome, t.text as their_text
       from dispute_evidence e
       left join simulator.operations o on o.account = e.merchant_id::text and o.reference = e.reference
       left join simulator.dispute_evidence t on t.account = o.account and t.reference = o.reference
      where e.merchant_id = :account`,
  );
  for (const { state, text, outcome, their_text } of sent) {
    if (state === 'pending') continue;
    assert.equal(outcome === 'approved' ? 'accepted' : 'refused', state, 'evidence');
    assert.equal(their_text, state === 'accepted' ? text : null, 'the text of evidence');
  }
  const shown = await rows<{ id: string; text: string }>(
    `select s.id, s.text from disputes d
      cross join jsonb_to_recordset(d.evidence) as s(id text, text text)
      where d.merchant_id = :account`,
  );
  const accepted = sent.filter(({ state }) => state === 'accepted').map(({ id, text }) => ({ id, text }));
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
  assert.deepEqual(shown.sort(byId), accepted.sort(byId), 'the evidence of disputes');
}
