import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, beforeEach, describe, it } from 'node:test';
import type { AcquirerCommand } from '../../gateway/acquirer.ts';
import { httpAcquirer } from '../../gateway/http-acquirer.ts';
import { readOutcome, readWireNotification } from '../../gateway/wire.ts';
import { later, NOON, reference, SECRET } from './support/acquirer.ts';
import { servers } from './support/servers.ts';

const COMMON = {
  method: 'pix_recurring',
  account: 'a1',
  requestedAt: NOON,
  amount_centavos: 4_990,
  customer: { customerId: 'c1', name: 'Maria Silva', document: null },
} as const;
const CUSTOMER = { id: 'c1', name: 'Maria Silva', document: null };

describe('mandates on the wire', async () => {
  const { cleanUp, listen } = servers();
  after(() => Promise.all(cleanUp.map((step) => step())));
  let seen: { path: string; body: Record<string, unknown> } | undefined;
  let answer: object = {};
  const url = await listen(
    createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      seen = { path: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) };
      response.end(JSON.stringify(answer));
    }),
  );
  const acquirer = httpAcquirer({ url: () => url, secret: SECRET });
  cleanUp.push(() => acquirer.close());
  const ref = reference();
  const mandate = {
    ...COMMON,
    kind: 'mandate',
    reference: ref,
    txid: 't'.repeat(32),
    expiresAt: later(60_000),
    mandate: {
      interval: 'weekly',
      firstChargeOn: '2046-03-17',
      recurringAmount_centavos: null,
      minAmount_centavos: 100,
      allowsRetries: false,
      statement: 'Clube',
    },
  } as const;
  beforeEach(() => {
    answer = {};
  });

  async function sent(command: AcquirerCommand) {
    await acquirer.perform(command);
    const { reference: named, account, requested_at, ...fields } = seen!.body;
    assert.deepEqual([named, account, requested_at], [ref, 'a1', NOON.toISOString()]);
    return { path: seen!.path, fields };
  }

  it('sends the request for a mandate, a charge and the end of a mandate', async () => {
    const method = 'pix_recurring';
    assert.deepEqual(await sent(mandate), {
      path: '/v1/mandates',
      fields: {
        method,
        amount_centavos: 4_990,
        customer: CUSTOMER,
        txid: 't'.repeat(32),
        expires_at: later(60_000).toISOString(),
        interval: 'weekly',
        first_charge_on: '2046-03-17',
        recurring_amount_centavos: null,
        min_amount_centavos: 100,
        retry_policy: false,
        statement: 'Clube',
      },
    });
    const charge = { mandateReference: 'm1', txid: 't1', dueDate: '2046-03-17' };
    assert.deepEqual(await sent({ ...COMMON, ...charge, kind: 'mandate_charge', reference: ref }), {
      path: '/v1/mandate-charges',
      fields: {
        method,
        amount_centavos: 4_990,
        customer: CUSTOMER,
        mandate_reference: 'm1',
        txid: 't1',
        due_date: '2046-03-17',
      },
    });
    const end = { kind: 'cancel_mandate', reference: ref, account: 'a1', requestedAt: NOON } as const;
    assert.deepEqual(await sent({ ...end, method, paymentReference: 'm1', amount_centavos: 0 }), {
      path: '/v1/mandate-cancellations',
      fields: { payment_reference: 'm1', method, amount_centavos: 0 },
    });
  });

  const receiver = { receiver_name: 'LOJA', receiver_city: 'RIO' };
  const approval = (amount_centavos: number, fields: object) => ({
    status: 'approved',
    acquirer_reference: 'acq_1',
    operation: 'mandate',
    method: 'pix_recurring',
    amount_centavos,
    ...fields,
  });

  it('reads an approval with the place of the mandate, and of the charge if there is one', async () => {
    answer = approval(0, { recurrence_location: 'r', ...receiver });
    const alone = await acquirer.perform({ ...mandate, amount_centavos: 0, txid: null });
    assert.ok(alone.kind === 'approved' && alone.recurrenceLocation === 'r' && alone.location === undefined);
    answer = approval(4_990, { location: 'l', recurrence_location: 'r', ...receiver });
    const both = await acquirer.perform(mandate);
    assert.ok(both.kind === 'approved' && both.recurrenceLocation === 'r' && both.location === 'l');
  });

  it('does not know the outcome of an approval that lacks one of them', async () => {
    for (const incomplete of [
      approval(4_990, { recurrence_location: 'r', ...receiver }),
      approval(4_990, { location: 'l', ...receiver }),
      approval(4_990, { location: 'l', recurrence_location: 'r', receiver_name: 'LOJA' }),
    ]) {
      answer = incomplete;
      assert.deepEqual(await acquirer.perform(mandate), { kind: 'unknown', cause: 'malformed_answer' });
    }
  });

  it('reads what an inquiry says about a request for a mandate, also if its state cannot be read', () => {
    const read = (charge: object) => {
      const outcome = readOutcome({ ...approval(0, { recurrence_location: 'r', ...receiver }), charge });
      return outcome?.kind === 'approved' ? outcome.charge : null;
    };
    const charge_code = 'RR9999900420460310AAAAAAAAAAA';
    const ended = { amount_centavos: 0, refusal: null, end_to_end_id: null, occurred_at: NOON.toISOString() };
    const authorized = {
      state: 'authorized',
      amount_centavos: 0,
      refusal: null,
      endToEndId: null,
      occurredAt: NOON,
    };
    const mandate = { chargeCode: charge_code, cancellationCode: null };
    assert.deepEqual(read({ state: 'open' }), { state: 'open' });
    assert.deepEqual(read({ ...ended, state: 'authorized', mandate: { charge_code } }), {
      ...authorized,
      mandate,
    });
    assert.deepEqual(read({ ...ended, state: 'authorized', mandate: 'RR' }), authorized);
    // The payer may have authorized it.
    assert.deepEqual(read({ ...ended, state: 'authorized', occurred_at: null }), { state: 'unreadable' });
    assert.deepEqual(read({ ...ended, state: 'agreed' }), { state: 'unreadable' });
    assert.equal(read({ ...ended, state: 'expired', occurred_at: null }), undefined);
    // An object of the acquirer's own does not make an approval unknown.
    assert.deepEqual(read({ id: 'ch_1' }), { state: 'unreadable' });
  });

  it('reads what a notification says about a mandate, and leaves out what is malformed', () => {
    const read = (about: unknown) =>
      readWireNotification({
        id: 'n1',
        account: 'a1',
        reference: ref,
        type: 'mandate.canceled',
        occurred_at: NOON.toISOString(),
        refusal: null,
        amount_centavos: 0,
        end_to_end_id: null,
        mandate: about,
      })?.mandate;
    const charge_code = 'RR9999900420460310AAAAAAAAAAA';
    assert.deepEqual(read({ charge_code, cancellation_code: 'ACCL' }), {
      chargeCode: charge_code,
      cancellationCode: 'ACCL',
    });
    const nothing = { chargeCode: null, cancellationCode: null };
    for (const wrong of [{}, { charge_code: 7 }, { charge_code: '', cancellation_code: 'because of you' }])
      assert.deepEqual(read(wrong), nothing);
    assert.equal(read(null), undefined);
  });
});
