import { getMerchant } from './account/get-merchant.ts';
import { createCard } from './cards/create-card.ts';
import { deleteCard } from './cards/delete-card.ts';
import { getCard } from './cards/get-card.ts';
import { getCardEncryptionKey } from './cards/get-card-encryption-key.ts';
import { listCustomerCards } from './cards/list-customer-cards.ts';
import { requestNetworkToken } from './cards/request-network-token.ts';
import { createCustomer } from './customers/create-customer.ts';
import { getCustomer } from './customers/get-customer.ts';
import { listCustomers } from './customers/list-customers.ts';
import { updateCustomer } from './customers/update-customer.ts';
import { getEvent } from './events/get-event.ts';
import { listEvents } from './events/list-events.ts';
import type { Handlers } from './http/handler.ts';
import { createOrder } from './orders/create-order.ts';
import { getOrder } from './orders/get-order.ts';
import { listOrders } from './orders/list-orders.ts';
import { cancelPayment } from './payments/cancel-payment.ts';
import { capturePayment } from './payments/capture-payment.ts';
import { createRefund } from './payments/create-refund.ts';
import { getPayment } from './payments/get-payment.ts';
import { getRefund } from './payments/get-refund.ts';
import { listPayments } from './payments/list-payments.ts';
import { listRefunds } from './payments/list-refunds.ts';
import { createRecipient } from './recipients/create-recipient.ts';
import { getRecipient } from './recipients/get-recipient.ts';
import { listRecipients } from './recipients/list-recipients.ts';
import { updateRecipient } from './recipients/update-recipient.ts';
import { advanceClock } from './sandbox/advance-clock.ts';
import { createScript } from './sandbox/create-script.ts';
import { deleteScript } from './sandbox/delete-script.ts';
import { getClock } from './sandbox/get-clock.ts';
import { listScripts } from './sandbox/list-scripts.ts';
import { resetSandbox } from './sandbox/reset-sandbox.ts';
import { simulatePayment } from './sandbox/simulate-payment.ts';

/**
 * The handler of each operation of the contract. One that is missing does not compile, and neither does one that the
 * contract does not know.
 */
export const handlers = {
  advanceClock,
  cancelPayment,
  capturePayment,
  createCard,
  createCustomer,
  createOrder,
  createRecipient,
  createRefund,
  createScript,
  deleteCard,
  deleteScript,
  getCard,
  getCardEncryptionKey,
  getClock,
  getCustomer,
  getEvent,
  getMerchant,
  getOrder,
  getPayment,
  getRecipient,
  getRefund,
  listCustomerCards,
  listCustomers,
  listEvents,
  listOrders,
  listPayments,
  listRecipients,
  listRefunds,
  listScripts,
  requestNetworkToken,
  resetSandbox,
  simulatePayment,
  updateCustomer,
  updateRecipient,
} satisfies Handlers;
