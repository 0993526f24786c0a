import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Tickets } from '../../../../handlers/http/admission/tickets.ts';
import { UpstreamCalls } from '../../../../services/upstream-calls.ts';

describe('the tickets', () => {
  for (const [who, other] of [
    ['page', 'm / y / 1'],
    ['address at the page', 'm / x / 2'],
  ] as const) {
    test(`leave some for another ${who} when all upstream calls of one address at a page end at once`, async () => {
      const upstreamCalls = new UpstreamCalls();
      const tickets = new Tickets(256, upstreamCalls);
      const busy = 'm / x / 1';
      const { promise, resolve } = Promise.withResolvers<void>();
      const calls: Promise<void>[] = [];
      for (; !tickets.isQuotaUsedUp(busy); tickets.add(busy, 1))
        calls.push(upstreamCalls.track(busy, promise));
      assert.equal(tickets.held, 108);
      resolve();
      await Promise.all(calls);
      assert.ok(tickets.isQuotaUsedUp(busy));
      assert.ok(!tickets.isQuotaUsedUp(other));
    });
  }
});
