import type { Tx } from '../../db/engine/database.ts';
import { findPaymentLink } from '../../db/links/payment-links.ts';
import { findOrder } from '../../db/orders/orders.ts';
import { findBuyer } from '../../db/subscriptions/checkout-subscriptions.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { OrderBuyer } from '../../domain/orders/order.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { FindReceipt } from './queue-receipts.ts';

/**
 * A buyer at a payment link gets a receipt if the merchant has turned receipts on for the link. A buyer who subscribed
 * gets one for each charge.
 */
export const receiptOfLink: FindReceipt = async ({ tx, merchant }, payment) => {
  if (payment.paymentLinkId === null) return null;
  const link = await findPaymentLink(tx, merchant, payment.paymentLinkId);
  if (!link?.sendEmailReceipt) return null;
  const buyer = await buyerOf(tx, merchant, payment);
  if (!buyer) return null;
  const { name, email, language } = buyer;
  return {
    to: email,
    language,
    details: { buyerName: name, title: link.title, brandColor: link.brandColor },
  };
};

async function buyerOf(
  tx: Tx,
  merchant: Merchant,
  { orderId, subscriptionId }: Payment,
): Promise<OrderBuyer | null | undefined> {
  if (orderId !== null) return (await findOrder(tx, merchant, orderId))?.buyer;
  return findBuyer(tx, merchant, subscriptionId!);
}
