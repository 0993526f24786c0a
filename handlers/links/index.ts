import { createPaymentLink } from './create-payment-link.ts';
import { disablePaymentLink } from './disable-payment-link.ts';
import { enablePaymentLink } from './enable-payment-link.ts';
import { getPaymentLink } from './get-payment-link.ts';
import { listPaymentLinks } from './list-payment-links.ts';
import { updatePaymentLink } from './update-payment-link.ts';

export const links = {
  createPaymentLink,
  disablePaymentLink,
  enablePaymentLink,
  getPaymentLink,
  listPaymentLinks,
  updatePaymentLink,
};
