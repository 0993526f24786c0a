import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receiptName } from '../../../domain/payments/methods/index.ts';

const card = { brand: 'elo', last4: '4242' };
const NAMES = [
  ['credit_card', card, 'Cartão de crédito Elo •••• 4242', 'Credit card Elo •••• 4242'],
  ['debit_card', card, 'Cartão de débito Elo •••• 4242', 'Debit card Elo •••• 4242'],
  ['browser_wallet', card, 'Carteira digital Elo •••• 4242', 'Wallet Elo •••• 4242'],
  ['pix', {}, 'Pix', 'Pix'],
  ['pix_recurring', {}, 'Pix Automático', 'Pix Automático'],
  ['bank_slip', {}, 'Boleto', 'Boleto'],
] as const;

for (const [method, details, pt, en] of NAMES) {
  test(`a receipt names ${method} in both languages`, () => {
    const payment = { method, details } as never;
    assert.deepEqual(receiptName(payment), { pt, en });
  });
}
