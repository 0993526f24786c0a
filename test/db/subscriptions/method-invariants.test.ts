/** Which methods there are, and which of them can be charged again, is decided in the code. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bareClient } from '../../support/db/bare-client.ts';
import { insertBareLink, insertBareSubscription } from '../../support/db/bare-rows.ts';

const CHECK_VIOLATION = { code: '23514' };

const client = await bareClient();

describe('a subscription', () => {
  test('can have a method that the database does not know', async () => {
    await insertBareSubscription(client);
    await client.query(`update subscriptions set method = 'standing_order'`);
  });

  for (const [what, change] of [
    ['by another method has no card', 'card_id = c.id'],
    ['by credit card has a card', `method = 'credit_card'`],
    [
      'by another method has no credential of a wallet',
      'wallet_credential_id = gen_random_uuid(), ended_at = null',
    ],
  ] as const) {
    test(what, async () => {
      await insertBareSubscription(client);
      const changed = client.query(
        `update subscriptions s set ${change} from cards c where c.customer_id = s.customer_id`,
      );
      await assert.rejects(changed, CHECK_VIOLATION);
    });
  }
});

describe('a recurring payment link', () => {
  const recurring = `recurrence_interval = 'monthly'`;

  test('can have methods that the database does not know', async () => {
    await insertBareLink(client);
    await client.query(`update payment_links set ${recurring}, payment_methods = '{standing_order}'`);
  });

  test('has a fixed amount', async () => {
    await insertBareLink(client);
    const open = `amount_type = 'customer_defined', amount_centavos = null`;
    await client.query(`update payment_links set ${open}`);
    await assert.rejects(client.query(`update payment_links set ${recurring}`), {
      constraint: 'payment_links_recurrence_is_fixed',
    });
  });
});
