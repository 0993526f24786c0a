import { randomInt } from 'node:crypto';
import { bankSlipBarcode, bankSlipExpiry } from '../../../domain/payments/bank-slip.ts';
import { chooseBehaviour } from '../magic-values.ts';
import type { SimulatedMethod } from './method.ts';

/** The code of the collecting bank. No bank has it. */
const BANK = '988';
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export const bankSlip: SimulatedMethod = {
  type: 'charge',
  creations: [
    {
      path: '/v1/bank-slips',
      operation: 'bank_slip_charge',
      read(fields, { amount_centavos, customer }) {
        const payer = fields.object('payer');
        payer.text('name');
        payer.text('document');
        payer.object('address');
        const dueDate = fields.text('due_date', DAY);
        return {
          dueDate,
          expiresAt: bankSlipExpiry(dueDate),
          behaviour: chooseBehaviour({ amount: String(amount_centavos), document: customer.document }),
        };
      },
      approval: ({ amount_centavos, dueDate }) => ({
        barcode: bankSlipBarcode({ bank: BANK, dueDate, amount_centavos, freeField: newFreeField() }),
      }),
    },
  ],
  notifications: { paid: 'bank_slip.paid', refused: 'bank_slip.refused', expired: 'bank_slip.expired' },
  pastExpiry: null,
  whyNotDisputed: 'A boleto cannot be charged back.',
};

/** 25 digits. */
function newFreeField(): string {
  return Array.from({ length: 25 }, () => randomInt(10)).join('');
}
