import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { newEmail } from '../../support/orders/parties.ts';
import { type CallOptions, type Json, request } from '../../support/service.ts';

export interface Partner {
  /** Root of the server, mock or proxy. */
  readonly url: string;
  readonly apiKey: string;
  /** A card as the partner's page encrypts it. */
  readonly encryptedCard: string;
}

/**
 * The requests that every client makes: customer, card, order by card, order by Pix, payment of the Pix, list with a
 * cursor, partial refund, and a refusal. Each answer is checked. A mock stores nothing, so `Prefer` selects the example
 * to answer with; the service ignores that header.
 */
export async function tellStory({ url, apiKey, encryptedCard }: Partner): Promise<void> {
  const call = async (status: number, method: string, path: string, options: CallOptions = {}) => {
    const prefer = { prefer: `code=${status}`, ...options.headers };
    const answer = await request(url, apiKey, method, path, { ...options, headers: prefer });
    assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
    return answer.body as Json;
  };

  const customer = await call(201, 'POST', '/customers', { body: { name: 'Ana Souza', email: newEmail() } });
  const card = await call(201, 'POST', '/cards', {
    body: { customer_id: customer.id, encrypted: encryptedCard },
  });
  assert.equal(card.customer_id, customer.id);

  const order = (payment: object) => ({
    code: randomUUID(),
    mcc: '5734',
    customer: { id: customer.id },
    payment,
  });
  const byCard = await call(201, 'POST', '/charges/orders', {
    body: order({ amount: 15_990, payment_method: 'credit_card', credit_card: { id: card.id } }),
  });
  assert.equal(byCard.payment.credit_card.id, card.id);
  const byPix = await call(201, 'POST', '/charges/orders', {
    body: order({ amount: 4_990, payment_method: 'pix' }),
  });
  assert.equal(byPix.payment.status, 'waiting_payment');
  assert.ok(byPix.payment.pix.qr_code);

  const paid = await call(200, 'POST', `/sandbox/payments/${byPix.payment.id}/simulate`, {
    body: { outcome: 'paid' },
  });
  assert.equal(paid.status, 'paid');

  const first = await call(200, 'GET', '/payments?per_page=1');
  const cursor = first.pagination.next_cursor ?? 'c29tZXdoZXJl';
  const next = await call(200, 'GET', `/payments?per_page=1&cursor=${encodeURIComponent(cursor)}`);
  assert.ok(next.data.length > 0);

  const refund = await call(201, 'POST', `/payments/${byPix.payment.id}/refunds`, {
    body: { amount: 3_000 },
  });
  assert.equal(refund.amount, 3_000);

  const refusal = await call(422, 'POST', '/customers', { body: { name: 'Ana Souza', email: 'nowhere' } });
  assert.ok(refusal.errors.email.length > 0);
}
