import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { receivablesOf } from '../../../domain/ledger/receivables.ts';
import type { PaymentMethod } from '../../../domain/merchants/payment-methods.ts';
import { methodRules } from '../../../domain/payments/methods/index.ts';

/** Days and amounts of a payment of R$ 1.00 that is captured on a Thursday before a holiday. */
function receivables(method: PaymentMethod, installments = 1, capturedOn = '2026-11-19') {
  return receivablesOf({
    availableOn: methodRules(method).availableOn,
    captured_centavos: 100,
    installments,
    capturedOn,
  }).map(({ availableOn, amount_centavos }) => `${availableOn} ${amount_centavos}`);
}

describe('the money of a payment is available', () => {
  it('at once for Pix', () => {
    assert.deepEqual(receivables('pix'), ['2026-11-19 100']);
    assert.deepEqual(receivables('pix_recurring'), ['2026-11-19 100']);
  });

  it('on the next business day for debit cards and boletos', () => {
    assert.deepEqual(receivables('debit_card'), ['2026-11-23 100']);
    assert.deepEqual(receivables('bank_slip', 1, '2026-11-21'), ['2026-11-23 100']);
  });

  it('30 days after the capture for cards and wallets, on whatever day that is', () => {
    assert.deepEqual(receivables('credit_card'), ['2026-12-19 100']);
    assert.deepEqual(receivables('browser_wallet'), ['2026-12-19 100']);
  });

  it('installment by installment, every 30 days', () => {
    assert.deepEqual(receivables('credit_card', 3), ['2026-12-19 34', '2027-01-18 33', '2027-02-17 33']);
  });
});
