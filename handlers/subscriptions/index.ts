import { cancelSubscription } from './cancel-subscription.ts';
import { changePlan } from './change-plan.ts';
import { createPixRecurringSubscription } from './create-pix-recurring-subscription.ts';
import { createSubscription } from './create-subscription.ts';
import { getSubscription } from './get-subscription.ts';
import { listInvoices } from './list-invoices.ts';
import { listSubscriptions } from './list-subscriptions.ts';
import { previewPlanChange } from './preview-plan-change.ts';
import { reactivateSubscription } from './reactivate-subscription.ts';
import { updatePaymentMethod } from './update-payment-method.ts';

export const subscriptions = {
  cancelSubscription,
  changePlan,
  createPixRecurringSubscription,
  createSubscription,
  getSubscription,
  listInvoices,
  listSubscriptions,
  previewPlanChange,
  reactivateSubscription,
  updatePaymentMethod,
};
