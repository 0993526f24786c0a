import type { MoneyService } from './money-service.ts';

export interface Hold extends AsyncDisposable {
  release(): Promise<void>;
}

/** Holds a payment's row, as a worker in the midst of its transaction would, until `release` or the test's end. */
export async function holdPayment(service: MoneyService, paymentId: string): Promise<Hold> {
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
    // As long as the test likes, and not just while a worker may be silent.
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
