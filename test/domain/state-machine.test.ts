import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NETWORK_TOKEN_STATUSES } from '../../domain/cards/card.ts';
import { networkTokenMachine } from '../../domain/cards/network-token-moves.ts';
import { API_KEY_STATUSES } from '../../domain/merchants/api-key.ts';
import { API_KEY_MOVE_TO, apiKeyMachine } from '../../domain/merchants/api-key-moves.ts';
import { MERCHANT_STATUSES } from '../../domain/merchants/merchant.ts';
import { MERCHANT_MOVE_TO, merchantMachine } from '../../domain/merchants/merchant-moves.ts';
import { operationMachine } from '../../domain/payments/operation-moves.ts';
import { refundMachine } from '../../domain/payments/refund-moves.ts';
import { type StateMachine, stateMachine } from '../../domain/state-machine.ts';
import { stepsOf } from '../support/payments/machine-steps.ts';

type Door = 'open' | 'closed' | 'locked' | 'broken';

const door: StateMachine<Door, 'close' | 'lock' | 'repair', 'door.closed' | 'door.repaired'> = stateMachine(
  'a door',
  {
    close: { from: ['open'], to: ['closed'], keeps: ['broken'], by: ['merchant'], events: ['door.closed'] },
    lock: { from: ['closed', 'locked'], to: ['locked'], by: ['operator'], events: [] },
    repair: { from: ['broken'], to: ['open', 'closed'], by: ['operator'], events: ['door.repaired'] },
  },
);

describe('a state machine', () => {
  test('allows the moves of its table and no others', () => {
    assert.ok(door.allows('close', 'open'));
    assert.ok(door.allows('repair', 'broken', 'open'));
    assert.ok(!door.allows('repair', 'broken', 'locked'));
    assert.ok(!door.allows('lock', 'open'));
  });

  test('keeps the state if the table says so', () => {
    assert.ok(door.allows('close', 'broken'));
    assert.ok(!door.allows('close', 'broken', 'closed'));
    assert.equal(door.next('close', 'broken', { by: 'merchant', to: 'broken' }), 'broken');
  });

  test('gives the state after a move', () => {
    assert.equal(door.next('close', 'open', { by: 'merchant' }), 'closed');
    assert.equal(door.next('repair', 'broken', { by: 'operator', to: 'open' }), 'open');
  });

  test('throws for a move that is not legal, not for this actor, or without the target that it needs', () => {
    assert.throws(
      () => door.next('lock', 'open', { by: 'operator' }),
      /a door that is open cannot lock to locked/i,
    );
    assert.throws(() => door.next('close', 'open', { by: 'clock' }), /close of a door is not for: clock/);
    assert.throws(() => door.next('repair', 'broken', { by: 'operator' }), /several targets/);
    assert.throws(() => door.rowMove('repair', 'operator'), /several targets/);
    assert.throws(() => door.rowMove('lock', 'merchant'), /not for: merchant/);
  });

  test('gives the states for a conditional update', () => {
    assert.deepEqual(door.rowMove('lock', 'operator'), { from: ['closed', 'locked'], to: 'locked' });
  });
});

describe('the tables allow these steps and no others:', () => {
  test('refunds', () => {
    assert.deepEqual(stepsOf(refundMachine), {
      succeed: ['in_progress → succeeded'],
      deny: ['in_progress → denied'],
    });
  });

  test('operations', () => {
    assert.deepEqual(stepsOf(operationMachine), {
      approve: ['pending → approved'],
      refuse: ['pending → refused'],
    });
  });

  test('network tokens', () => {
    assert.deepEqual(stepsOf(networkTokenMachine, NETWORK_TOKEN_STATUSES), {
      request: ['none → requested', 'failed → requested'],
      renew: ['requested → requested', 'active → requested', 'failed → requested'],
      retry: ['requested → requested'],
      activate: ['requested → active'],
      fail: ['requested → failed'],
      erase: ['none → none', 'requested → none', 'active → none', 'failed → none'],
    });
  });

  test('API keys', () => {
    const among = (to: string) => ['active', 'disabled', 'suspended'].map((from) => `${from} → ${to}`);
    assert.deepEqual(stepsOf(apiKeyMachine, API_KEY_STATUSES), {
      enable: among('active'),
      disable: among('disabled'),
      suspend: among('suspended'),
      revoke: [...among('revoked'), 'revoked → revoked'],
    });
    for (const status of API_KEY_STATUSES) {
      assert.equal(apiKeyMachine.rowMove(API_KEY_MOVE_TO[status], 'operator').to, status);
    }
  });

  test('accounts of merchants', () => {
    const to = (status: string) => MERCHANT_STATUSES.map((from) => `${from} → ${status}`);
    assert.deepEqual(stepsOf(merchantMachine, MERCHANT_STATUSES), {
      approve: to('approved'),
      suspend: to('suspended'),
      review: to('pending'),
    });
    for (const status of MERCHANT_STATUSES) {
      assert.equal(merchantMachine.rowMove(MERCHANT_MOVE_TO[status], 'operator').to, status);
    }
  });
});
