import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PAYMENT_STATES, recordOfState } from '../../../domain/payments/payment-state.ts';
import { addMove } from '../../../services/payments/add-move.ts';

it('tells the merchant of what the answers show, and of nothing else', () => {
  for (const state of PAYMENT_STATES) {
    const record = recordOfState(state);
    const isOffered = record.pendingOperation === null && ['scheduled', 'waiting_payment'].includes(state);
    assert.equal(addMove(record, { qrCode: '000201' }), isOffered ? 'offer_code' : 'add_data', state);
    assert.equal(addMove(record, { barcode: '00190' }), isOffered ? 'offer_code' : 'add_data', state);
    assert.equal(addMove(record, { endToEndId: 'E1' }), 'add_data', state);
    assert.equal(addMove(record, { authorizationCode: '123456' }), 'add_data', state);
    assert.equal(addMove(record, { chargeCode: 'RR1' }), 'add_data', state);
    assert.equal(addMove(record, { acquirerReference: 'acq_1' }), 'add_details', state);
    assert.equal(addMove(record, {}), 'add_details', state);
  }
});
