import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BILLING_METHODS } from '../../../domain/subscriptions/methods/names.ts';
import { statusChangesByMethod } from '../../../domain/subscriptions/status-changes.ts';
import { subscriptionMachine } from '../../../domain/subscriptions/subscription-moves.ts';
import { engineChanges } from '../../support/subscriptions/engine-changes.ts';

const CHANGES = statusChangesByMethod();

describe('the changes of the status of a subscription by one method', () => {
  for (const method of BILLING_METHODS) {
    it(`are those that the billing engine makes: ${method}`, () => {
      const listed = CHANGES[method].map(({ move, from, to }) => `${move}: ${from} → ${to}`);
      assert.deepEqual(listed.toSorted(), engineChanges(method));
    });

    it(`are allowed by the table of moves: ${method}`, () => {
      const notAllowed = CHANGES[method].filter(
        ({ move, from, to }) => !subscriptionMachine.allows(move, from, to),
      );
      assert.deepEqual(notAllowed, []);
    });
  }
});
