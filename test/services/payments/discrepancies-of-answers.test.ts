import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { merchantDay } from '../../../domain/local-time.ts';
import { type BankSlip, bankSlipBarcode, readBarcode } from '../../../domain/payments/bank-slip.ts';
import { cardRefusal } from '../../../domain/payments/refusal-reasons.ts';
import type {
  Acquirer,
  InquiryOutcome,
  Outcome,
  OutcomeSubject,
  PaymentCommand,
} from '../../../gateway/acquirer.ts';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { deliver, notification } from '../../support/payments/notifications.ts';
import { subjectOf } from '../../support/payments/outcomes.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;

beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});
afterEach(() => assertAcquirerAgrees(service, shop.account));

type Call = 'authorize' | 'pix_charge' | 'capture' | 'cancel' | 'refund';
type Wrong = Partial<OutcomeSubject>;

/** The acquirer does what it is asked, and answers with `wrong` in place of what it is about. */
function misreport(wrong: Wrong) {
  const misreported = (real: Acquirer) => async (asked: PaymentCommand) =>
    ({ ...(await real.perform(asked)), ...wrong }) as Outcome;
  return service.intercept((real) => ({
    authorize: misreported(real),
    pix_charge: misreported(real),
    capture: misreported(real),
    cancel: misreported(real),
    refund: misreported(real),
  }));
}

/** Asks for the operation; resolves to the payment's id. `status` is what it shows when the answer is believed. */
const ASK: Readonly<Record<Call, { status: string; open: string; ask(wrong: Wrong): Promise<string> }>> = {
  authorize: {
    status: 'pre_authorized',
    open: 'processing',
    ask: async (wrong) => {
      const spy = misreport(wrong);
      const { id } = await shop.authorized();
      spy.undo();
      return id;
    },
  },
  pix_charge: {
    status: 'waiting_payment',
    open: 'processing',
    ask: async (wrong) => {
      const spy = misreport(wrong);
      const { id } = await shop.pixPayment();
      spy.undo();
      return id;
    },
  },
  capture: { status: 'paid', open: 'processing', ask: (wrong) => following('capture', wrong) },
  cancel: { status: 'canceled', open: 'processing', ask: (wrong) => following('cancel', wrong) },
  refund: {
    status: 'partially_refunded',
    open: 'refund_in_progress',
    ask: async (wrong) => {
      const { id } = await shop.cardPayment();
      const spy = misreport(wrong);
      assert.equal((await shop.refund(id, 4_000)).body.status, 'in_progress');
      spy.undo();
      return id;
    },
  },
};

/** The barcode with other contents, and the check digit that they need. */
function remade(barcode: string, contents: Partial<BankSlip>): string {
  return bankSlipBarcode({ ...readBarcode(barcode, merchantDay(new Date()))!, ...contents });
}

async function following(ask: 'capture' | 'cancel', wrong: Wrong): Promise<string> {
  const { id } = await shop.authorized();
  const spy = misreport(wrong);
  const { status } = await shop[ask](id);
  assert.equal(status, 200);
  spy.undo();
  return id;
}

const statusOf = async (id: string) => (await shop.payment(id)).status;

describe('a wrong answer is a discrepancy, and the outcome is unknown until an inquiry', () => {
  for (const [call, { status, open, ask }] of Object.entries(ASK)) {
    const otherMethod = call === 'pix_charge' ? 'credit_card' : 'pix';
    for (const [wrong, reason] of [
      [{ amount_centavos: 1 }, 'amount_mismatch'],
      [{ method: otherMethod }, 'method_mismatch'],
      [{ operation: call === 'refund' ? 'capture' : 'refund' }, 'operation_mismatch'],
    ] as const) {
      test(`${call}: ${reason}`, async () => {
        const id = await ask(wrong);
        assert.equal(await statusOf(id), open);
        const [found, ...others] = await discrepanciesOf(service, shop.account);
        assert.deepEqual([found?.source, found?.reason, found?.payment_id], ['answer', reason, id]);
        await reconcile(service, 130_000);
        assert.equal(await statusOf(id), status);
        assert.deepEqual(others, []);
        assert.equal((await discrepanciesOf(service, shop.account)).length, 1);
      });
    }
  }

  for (const [what, change] of [
    ['another amount', (barcode: string) => remade(barcode, { amount_centavos: 5_001 })],
    ['another due date', (barcode: string) => remade(barcode, { dueDate: '2027-03-01' })],
    [
      'a wrong check digit',
      (barcode: string) => barcode.slice(0, 4) + ((Number(barcode[4]) % 9) + 1) + barcode.slice(5),
    ],
  ] as const) {
    test(`bank_slip_charge: a barcode with ${what}`, async () => {
      const spy = service.intercept((real) => ({
        bank_slip_charge: async (asked) => {
          const answer = await real.perform(asked);
          assert.ok(answer.kind === 'approved');
          return { ...answer, barcode: change(answer.barcode!) };
        },
      }));
      const { id, bank_slip } = await shop.bankSlipPayment(5_000);
      spy.undo();
      assert.deepEqual(
        [await statusOf(id), bank_slip.digitable_line, bank_slip.pdf_url],
        ['processing', null, null],
      );
      const [found, ...others] = await discrepanciesOf(service, shop.account);
      assert.deepEqual([found?.reason, found?.payment_id, others], ['barcode_mismatch', id, []]);
      assert.match(String(found?.reported.barcode), /^[0-9]{44}$/);
      await reconcile(service, 130_000);
      assert.equal(await statusOf(id), 'waiting_payment', 'the inquiry is answered with the right barcode');
    });
  }

  test('a refusal with another amount releases nothing', async () => {
    const { id } = await shop.cardPayment({ number: '4000000000001240' });
    const spy = misreport({ amount_centavos: 1 });
    assert.equal((await shop.refund(id, 10_000)).body.status, 'in_progress');
    spy.undo();
    assert.equal((await shop.refund(id, 1)).status, 422);
    await reconcile(service, 130_000);
    assert.equal(await statusOf(id), 'paid');
  });

  test('a pending answer with another amount is a discrepancy', async () => {
    const { id } = await shop.cardPayment({ number: '4000000000007726' });
    const spy = misreport({ amount_centavos: 1 });
    await shop.refund(id, 10_000);
    spy.undo();
    const [found] = await discrepanciesOf(service, shop.account);
    assert.deepEqual([found?.reason, found?.reported.report], ['amount_mismatch', 'refund.pending']);
  });

  test('a refusal after the approval was notified changes nothing', async () => {
    const spy = service.intercept((real) => ({
      authorize: async (asked) => {
        const { amount_centavos } = asked;
        const outcome = await real.perform(asked);
        const report = notification(shop.account, asked.reference, 'authorization.approved', {
          amount_centavos,
        });
        assert.equal(await deliver(service, report), 204);
        return { ...subjectOf(outcome), kind: 'refused', refusal: cardRefusal('do_not_honor') };
      },
    }));
    const payment = await shop.cardPayment();
    spy.undo();
    assert.equal(payment.status, 'paid');
    const [found, ...others] = await discrepanciesOf(service, shop.account);
    assert.deepEqual([found?.source, found?.reason, others], ['answer', 'refused_after_approval', []]);
  });
});

describe('a wrong answer to an inquiry is a discrepancy', () => {
  test('recorded once for repeated answers, and closed by a right one', async () => {
    const { id } = await withLostAnswers(service, () => shop.cardPayment());
    let asked = 0;
    const spy = service.intercept((real) => ({
      inquire: async (inquiry) => {
        if (inquiry.account !== shop.account) return real.inquire(inquiry);
        asked += 1;
        return { ...(await real.inquire(inquiry)), amount_centavos: 9_999 } as InquiryOutcome;
      },
    }));
    const logged = service.log.length;
    for (let s = 2; s <= 120; s += 2) await reconcile(service, s * 1_000);
    spy.undo();
    const errors = service.log.slice(logged).filter(({ fields }) => fields.merchant_id === shop.account);
    assert.deepEqual(
      errors.map(({ level, message }) => [level, message]),
      [['error', 'discrepancy found']],
    );
    assert.equal(asked, 2, 'a person looks into it');
    const [found, ...others] = await discrepanciesOf(service, shop.account);
    assert.deepEqual([found?.source, found?.reason, others], ['inquiry', 'amount_mismatch', []]);
    assert.equal(await statusOf(id), 'processing');
    await reconcile(service, 3_700_000);
    assert.equal(await statusOf(id), 'paid');
  });

  test('if a capture succeeded although the authorization was released', async () => {
    const { id } = await shop.authorized();
    const spy = service.intercept((real) => ({
      capture: async (asked) => {
        const outcome = await real.perform(asked);
        const voided = notification(shop.account, await shop.reference(id), 'cancel.approved', {
          amount_centavos: 10_000,
        });
        assert.equal(await deliver(service, voided), 204);
        return outcome;
      },
    }));
    await shop.capture(id);
    spy.undo();
    const payment = await shop.payment(id);
    assert.deepEqual([payment.status, payment.captured_amount], ['canceled', 0]);
    const [found] = await discrepanciesOf(service, shop.account);
    assert.deepEqual([found?.source, found?.reason], ['answer', 'illegal_move']);
    // The books differ, as the discrepancy says: a new shop for the check after each test.
    shop = await Shop.open(service);
  });
});
