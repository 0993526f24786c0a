import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findMerchant } from '../../db/merchants.ts';
import { findFirstOperation, findOpenOperation } from '../../db/payment-operations.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { cardRefusal } from '../../domain/refusal-reasons.ts';
import { type FinalOutcome, settleOperation } from '../../services/settle-operation.ts';
import { type MoneyService, startMoneyService } from '../support/money-service.ts';
import { deliver, notification } from '../support/notifications.ts';
import { Shop } from '../support/shop.ts';

const REFUSED: FinalOutcome = { kind: 'refused', refusal: cardRefusal('do_not_honor') };
const APPROVED: FinalOutcome = { kind: 'approved', authorizationCode: '123456' };

let service: MoneyService;
let shop: Shop;
let merchant: Merchant;
before(async () => {
  service = await startMoneyService();
  shop = await Shop.open(service);
  merchant = (await findMerchant(service.deps.db, shop.onboarded.merchant))!;
});
after(() => service.stop());

/** Settles the authorization of a payment once more; the errors that are logged of it. */
async function settledAgain(paymentId: string, outcome: FinalOutcome) {
  const operation = await findFirstOperation(service.deps.db, merchant, paymentId);
  const before = service.log.length;
  await service.deps.db.transaction(merchant, (tx) =>
    settleOperation(service.deps, tx, merchant, operation!, outcome),
  );
  return service.log.slice(before).filter(({ level }) => level === 'error');
}

test('an outcome that contradicts the first changes nothing, and a person is told', async () => {
  const payment = await shop.cardPayment();
  const [told, ...others] = await settledAgain(payment.id, REFUSED);
  assert.equal(told?.message, 'the acquirer contradicts what it told before');
  const { payment_id, settled, told: kind } = told!.fields;
  assert.deepEqual([payment_id, settled, kind, others], [payment.id, 'approved', 'refused', []]);
  assert.deepEqual(await shop.payment(payment.id), payment);
});

test('a capture that succeeds after the acquirer gave the authorization back takes no money here', async () => {
  const { id } = await shop.cardPayment({ capture: false });
  const spy = service.intercept(() => ({ capture: async () => ({ kind: 'unknown', cause: 'time_out' }) }));
  assert.equal((await shop.post(`/payments/${id}/capture`)).body.status, 'processing');
  spy.undo();
  const canceled = notification(shop.account, await shop.reference(id), 'cancel.approved');
  assert.equal(await deliver(service, canceled), 204);
  const capture = await findOpenOperation(service.deps.db, merchant, id);
  const before = service.log.length;
  await service.deps.db.transaction(merchant, (tx) =>
    settleOperation(service.deps, tx, merchant, capture!, { kind: 'approved' }),
  );
  const errors = service.log.slice(before).filter(({ level }) => level === 'error');
  assert.deepEqual(
    errors.map(({ fields }) => [fields.payment_id, fields.settled, fields.told]),
    [[id, 'canceled', 'captured']],
  );
  assert.equal((await shop.payment(id)).captured_amount, 0);
});

test('the same outcome once more is no matter', async () => {
  const { id } = await shop.cardPayment();
  assert.deepEqual(await settledAgain(id, APPROVED), []);
});

test('money for a payment that was canceled is not taken, and a person is told, once', async () => {
  const { id } = await shop.pixPayment();
  assert.equal((await shop.cancel(id)).body.status, 'canceled');
  const paid = notification(shop.account, await shop.reference(id), 'pix.paid', { amount_centavos: 5_000 });
  const before = service.log.length;
  assert.deepEqual([await deliver(service, paid), await deliver(service, paid)], [204, 204]);
  const [told, ...others] = service.log.slice(before).filter(({ level }) => level === 'error');
  assert.equal(told?.message, 'a payment that is over was paid');
  assert.deepEqual([told!.fields.payment_id, told!.fields.status, others], [id, 'canceled', []]);
  assert.equal((await shop.payment(id)).captured_amount, 0);
});
