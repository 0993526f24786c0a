import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, describe, it } from 'node:test';
import { httpAcquirer } from '../../gateway/http-acquirer.ts';
import { httpSandboxControl } from '../../gateway/http-sandbox-control.ts';
import { isSigned, signedRequest } from '../../gateway/signature.ts';
import { NOON, reference, SECRET } from './support/acquirer.ts';
import { customerOf, servers } from './support/servers.ts';

const REFUSED = JSON.stringify({
  status: 'refused',
  operation: 'refund',
  method: 'credit_card',
  amount_centavos: 300,
  refusal: { code: 'do_not_honor', message: 'No.', retryable: true },
});

describe('the protocol of the acquirer', () => {
  const { cleanUp, listen } = servers();
  after(() => Promise.all(cleanUp.map((step) => step())));

  it('sends each operation signed, with the names of the protocol', async () => {
    const seen: { path: string; body: Record<string, unknown> }[] = [];
    const url = await listen(
      createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        const body = Buffer.concat(chunks);
        const path = request.url ?? '';
        assert.ok(
          isSigned(SECRET, request.headers['acquirer-signature'], signedRequest(path, body), Date.now()),
        );
        seen.push({ path, body: JSON.parse(body.toString()) });
        response.end(REFUSED);
      }),
    );
    const acquirer = httpAcquirer({ url: () => url, secret: SECRET });
    cleanUp.push(() => acquirer.close());
    const customer = customerOf(acquirer);
    const asked = customer.authorization('4242424242424242');
    const [payment, ref] = [reference(), reference()];
    await acquirer.perform(asked);
    await customer.capture(payment, 900, ref);
    await customer.cancel(payment, ref);
    await customer.refund(payment, 300, ref);
    await customer.pix(5_000, ref);
    const card = { number: '4242424242424242', expMonth: '12', expYear: '2052', cardId: 'c1' };
    await acquirer.perform({
      kind: 'network_token',
      reference: ref,
      account: customer.account,
      requestedAt: NOON,
      card,
    });
    await acquirer.perform({
      kind: 'dispute_evidence',
      reference: ref,
      account: customer.account,
      requestedAt: NOON,
      paymentReference: payment,
      disputeReference: 'd1',
      text: 'Entregue.',
    });
    await customer.inquire(ref, true);

    const common = { reference: ref, account: customer.account, requested_at: NOON.toISOString() };
    const buyer = { id: customer.customerId, name: 'Maria Silva', document: null };
    assert.deepEqual(seen, [
      {
        path: '/v1/authorizations',
        body: {
          ...common,
          reference: asked.reference,
          method: 'credit_card',
          amount_centavos: 10_000,
          capture: false,
          installments: 1,
          mcc: '5734',
          statement_descriptor: null,
          processing_model: null,
          customer: buyer,
          card: {
            id: customer.cardId,
            number: '4242424242424242',
            holder: 'MARIA SILVA',
            exp_month: '12',
            exp_year: '2052',
            security_code: '123',
          },
        },
      },
      {
        path: '/v1/captures',
        body: { ...common, payment_reference: payment, method: 'credit_card', amount_centavos: 900 },
      },
      {
        path: '/v1/cancellations',
        body: { ...common, payment_reference: payment, method: 'credit_card', amount_centavos: 10_000 },
      },
      {
        path: '/v1/refunds',
        body: { ...common, payment_reference: payment, method: 'credit_card', amount_centavos: 300 },
      },
      {
        path: '/v1/pix-charges',
        body: {
          ...common,
          method: 'pix',
          txid: ref,
          amount_centavos: 5_000,
          expires_at: '2046-03-10T16:00:00.000Z',
          customer: buyer,
        },
      },
      {
        path: '/v1/network-tokens',
        body: {
          ...common,
          card: { id: 'c1', number: '4242424242424242', exp_month: '12', exp_year: '2052' },
        },
      },
      {
        path: '/v1/dispute-evidence',
        body: { ...common, payment_reference: payment, dispute_id: 'd1', text: 'Entregue.' },
      },
      { path: '/v1/inquiries', body: { reference: ref, account: customer.account, seal: true } },
    ]);
  });

  it('throws an error with a sentence if the sandbox control gives no usable answer', async () => {
    const url = await listen(createServer((_, response) => response.writeHead(500).end('{}')));
    const control = httpSandboxControl({ url, secret: SECRET });
    cleanUp.push(() => control.close());
    await assert.rejects(control.nextDue('a1'), /^Error: The acquirer's sandbox answered with status 500\.$/);
  });
});
