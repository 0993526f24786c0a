import { cancelSubscription } from './cancel-subscription.ts';
import { createSubscription } from './create-subscription.ts';
import { getSubscription } from './get-subscription.ts';
import { listInvoices } from './list-invoices.ts';
import { listSubscriptions } from './list-subscriptions.ts';
import { reactivateSubscription } from './reactivate-subscription.ts';
import { updatePaymentMethod } from './update-payment-method.ts';

export const subscriptions = {
  cancelSubscription,
  createSubscription,
  getSubscription,
  listInvoices,
  listSubscriptions,
  reactivateSubscription,
  updatePaymentMethod,
};
