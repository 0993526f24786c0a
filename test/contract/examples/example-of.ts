import type { Json } from '../../support/service.ts';

/** A body from the contract's examples. */
export type ExampleOf = (
  operationId:
    | 'createOrder'
    | 'createRecipient'
    | 'createRefund'
    | 'createProduct'
    | 'createOffer'
    | 'createPaymentLink'
    | 'createCheckoutPayment'
    | 'createCheckoutSubscription'
    | 'createSubscription'
    | 'createPixRecurringSubscription'
    | 'updatePaymentMethod'
    | 'submitEvidence',
  name: string,
) => Json;
