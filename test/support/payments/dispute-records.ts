import assert from 'node:assert/strict';
import type { TestService } from '../service.ts';

/** Each payment in a dispute, and each one that lost it, has one dispute of its status and amount. Others have none. */
export async function assertDisputesAgree(service: TestService, account: string): Promise<void> {
  const wrong = await service.rows(
    `select p.id, p.status, d.status as dispute, d.amount_centavos, p.captured_centavos, p.refunded_centavos
       from payments p
       left join disputes d on d.slot = p.slot and d.merchant_id = p.merchant_id and d.payment_id = p.id and d.status <> 'won'
      where p.merchant_id = :account
        and case when starts_with(p.status, 'chargeback_')
              then 'chargeback_' || d.status is distinct from p.status
                or d.amount_centavos <> p.captured_centavos - p.refunded_centavos
              else d.id is not null
            end`,
    { account },
  );
  assert.deepEqual(wrong, [], 'disputes that differ from their payments');
}
