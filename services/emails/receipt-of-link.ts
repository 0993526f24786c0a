import { findPaymentLink } from '../../db/links/payment-links.ts';
import { findOrder } from '../../db/orders/orders.ts';
import type { ReceiptWanted } from './queue-receipts.ts';

/** A buyer at a payment link gets a receipt if the merchant has turned receipts on for the link. */
export const receiptOfLink: ReceiptWanted = async ({ tx, merchant }, { paymentLinkId, orderId }) => {
  if (paymentLinkId === null || orderId === null) return null;
  const link = await findPaymentLink(tx, merchant, paymentLinkId);
  if (!link?.sendEmailReceipt) return null;
  const buyer = (await findOrder(tx, merchant, orderId))?.buyer;
  if (!buyer) return null;
  const { name, email, language } = buyer;
  return {
    to: email,
    language,
    details: { buyerName: name, title: link.title, brandColor: link.brandColor },
  };
};
