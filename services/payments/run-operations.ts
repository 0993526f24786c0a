import { inBulk } from '../../db/engine/bulk.ts';
import { DatabaseUnavailable } from '../../db/engine/unavailable.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { PaymentOperation } from '../../domain/payments/payment-operation.ts';
import type { Deps } from '../deps.ts';
import { RECOVERY_POINTS } from '../recovery-points.ts';
import { logDiscrepancy } from './record-discrepancy.ts';
import { type AcquirerReply, type BegunOperation, sendOperation, writeOutcome } from './run-operation.ts';

/** The maximum of outcomes of one transaction. Its locks delay requests for the same payments. */
const BATCH = 64;
/**
 * How long an outcome waits for others. Each transaction of outcomes costs as much as several of them, at the expense
 * of the requests of that time.
 */
const LINGER_MS = 25;

/**
 * Sends the commands of operations of one merchant at the same time, and writes the outcomes in batches. Waits for all
 * of them. Returns whether the outcome of one is not known. The reconciler settles that one, and one that fails: it is
 * logged, so that it stops neither the others nor an advance of the clock. Throws only while the database is down.
 * `onAnswers` is called when half of them have been answered.
 */
export async function runOperations(
  deps: Deps,
  merchant: Merchant,
  begun: readonly BegunOperation[],
  onAnswers: () => void = () => {},
): Promise<boolean> {
  const outcomes = new OutcomeBatches(deps, merchant, { expected: begun.length, onHalf: onAnswers });
  const results = await Promise.allSettled(
    begun.map((operation) => runOne(deps, merchant, operation, outcomes)),
  );
  onAnswers();
  const areKnown = results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  return areKnown.includes(false);
}

/** Returns whether the outcome is known. */
async function runOne(
  deps: Deps,
  merchant: Merchant,
  begun: BegunOperation,
  outcomes: OutcomeBatches,
): Promise<boolean> {
  try {
    deps.reached(RECOVERY_POINTS.intentCommitted);
    const reply = await sendOperation(deps, merchant, begun).catch((error: unknown) => {
      outcomes.expectLess();
      throw error;
    });
    deps.reached(RECOVERY_POINTS.acquirerAnswered);
    await outcomes.write(begun.operation, reply);
    deps.reached(RECOVERY_POINTS.outcomeCommitted);
    return reply.outcome.kind !== 'unknown' && reply.outcome.kind !== 'pending';
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    const { account, kind, reference } = begun.command;
    deps.log.error({ merchant_id: account, operation: kind, reference, err: error }, 'an operation failed');
    return false;
  }
}

interface Answered {
  readonly operation: PaymentOperation;
  readonly reply: AcquirerReply;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Collects outcomes until a batch is full, no more are expected, or the first one has waited long enough. */
class OutcomeBatches {
  readonly #deps: Deps;
  readonly #merchant: Merchant;
  readonly #half: number;
  readonly #onHalf: () => void;
  #expected: number;
  #collected: Answered[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(
    deps: Deps,
    merchant: Merchant,
    { expected, onHalf }: { readonly expected: number; readonly onHalf: () => void },
  ) {
    this.#deps = deps;
    this.#merchant = merchant;
    this.#expected = expected;
    this.#half = Math.floor(expected / 2);
    this.#onHalf = onHalf;
  }

  /** Resolves when the outcome is committed. */
  write(operation: PaymentOperation, reply: AcquirerReply): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#collected.push({ operation, reply, resolve, reject });
    this.expectLess();
    return promise;
  }

  /** One call has ended. */
  expectLess(): void {
    this.#expected -= 1;
    if (this.#expected === this.#half) this.#onHalf();
    if (this.#collected.length === BATCH || this.#expected === 0) this.#flush();
    else if (this.#collected.length > 0) this.#timer ??= setTimeout(() => this.#flush(), LINGER_MS);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#collected;
    this.#collected = [];
    if (batch.length > 0) void this.#settle(batch);
  }

  async #settle(batch: readonly Answered[]): Promise<void> {
    try {
      await writeOutcomes(this.#deps, this.#merchant, batch);
    } catch (error) {
      if (batch.length === 1) batch[0]!.reject(error);
      // One outcome that cannot be written must not stop the others.
      else await Promise.all(batch.map((answered) => this.#settle([answered])));
      return;
    }
    for (const { resolve } of batch) resolve();
  }
}

async function writeOutcomes(
  deps: Deps,
  merchant: Merchant,
  batch: readonly Pick<Answered, 'operation' | 'reply'>[],
): Promise<void> {
  const written = await deps.db.transaction(merchant, (tx) => {
    const context = { deps, tx: inBulk(tx), merchant };
    return Promise.all(batch.map(({ operation, reply }) => writeOutcome(context, operation, reply)));
  });
  for (const { found } of written) logDiscrepancy(deps, found);
}
