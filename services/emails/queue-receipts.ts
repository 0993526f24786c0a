import { insertEmail } from '../../db/emails/emails.ts';
import type { NewEmail } from '../../domain/emails/email.ts';
import { uuidV7 } from '../../domain/identifiers.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { PaymentListener, TransactionContext } from '../deps.ts';

/** Where a receipt goes, and what it shows besides the payment. */
export type ReceiptRequest = Pick<NewEmail, 'to' | 'language' | 'details'>;

/**
 * Returns the receipt that the buyer of a payment wants, if any. Runs in the transaction in which the money arrives.
 */
export type FindReceipt = (context: TransactionContext, payment: Payment) => Promise<ReceiptRequest | null>;

/** Queues a receipt when the money of a payment arrives, in the same transaction. A payment gets one receipt. */
export function receiptsOfPayments(findReceipt: FindReceipt): PaymentListener {
  return {
    async changed(context, { before, after, at }) {
      if (before.captured_centavos > 0 || after.captured_centavos === 0) return;
      const wanted = await findReceipt(context, after);
      if (wanted === null) return;
      const { deps, tx, merchant } = context;
      const id = uuidV7(at.getTime(), deps.random);
      const email = { ...wanted, id, paymentId: after.id, kind: 'receipt', createdAt: at } as const;
      await insertEmail(tx, merchant, email, deps.wall());
    },
  };
}
