import assert from 'node:assert/strict';
import { it } from 'node:test';
import { recordOfState } from '../../../domain/payments/payment-state.ts';
import { addMove } from '../../../services/payments/add-move.ts';

it('tells the merchant of a QR code or barcode that arrives while the payer can use it, and of nothing else', () => {
  for (const status of ['scheduled', 'waiting_payment'] as const) {
    assert.equal(addMove(recordOfState(status), { qrCode: '000201' }), 'offer_code');
    assert.equal(addMove(recordOfState(status), { barcode: '00190' }), 'offer_code');
    assert.equal(addMove(recordOfState(status), { acquirerReference: 'acq_1' }), 'add_details');
    assert.equal(addMove(recordOfState(status), {}), 'add_details');
  }
  for (const status of [
    'AUTHORIZED',
    'paid',
    'expired',
    'canceled',
    'refused',
    'cancel_requested',
  ] as const) {
    assert.equal(addMove(recordOfState(status), { qrCode: '000201' }), 'add_details', status);
  }
});
