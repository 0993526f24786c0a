import type { TestService } from './service.ts';

export interface PaymentLock extends AsyncDisposable {
  release(): Promise<void>;
}

/** Locks the row of a payment, as a worker in its transaction does, until `release` or the end of the test. */
export async function lockPaymentRow(service: TestService, paymentId: string): Promise<PaymentLock> {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const { merchant_id, slot } = (
    await service.rows<{ merchant_id: string; slot: number }>(
      'select merchant_id, slot from payments where id = :id',
      { id: paymentId },
    )
  )[0]!;
  const scope = { slot, merchantId: merchant_id };
  const holding = service.deps.db.transaction(scope, async (tx) => {
    // Without the limit that a worker's transaction has.
    const sql = `select set_config('idle_in_transaction_session_timeout', '0', true)
      from payments where {scope} and id = :id for update`;
    await tx.one(scope, sql, { id: paymentId });
    held.resolve();
    await released.promise;
  });
  holding.catch(held.reject);
  await held.promise;
  const release = () => {
    released.resolve();
    return holding;
  };
  return { release, [Symbol.asyncDispose]: release };
}
