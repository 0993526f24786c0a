import { mistake as M, type PlantedMistake } from './mistake.ts';

/** Mistakes of answers and refusals. */
export const ANSWERS: readonly PlantedMistake[] = [
  M('house/refusal-by-reference', 'an inline refusal', {
    file: 'operations/recipients/getRecipient.yaml',
    text: '$ref: ../../refusals/RecipientNotFound.yaml',
    by: 'description: Gone.',
  }),
  M('house/unauthorized-answer', 'security without a 401', {
    file: 'operations/customers/getCustomer.yaml',
    text: / {2}'401':\n.*\n/,
    by: '',
  }),
  M('house/complete-answers', 'an answer that is left out', {
    file: 'operations/orders/createOrder.yaml',
    text: / {2}'413':\n.*\n/,
    by: '',
    where: 'openapi.yaml#/paths/~1charges~1orders/post',
    message: /413/,
  }),
  M('house/swapped-answers', 'GET /merchant with the usual 401', {
    file: 'operations/account/getMerchant.yaml',
    text: 'AccountNotApproved',
    by: 'Unauthorized',
  }),
  M('house/swapped-answers', 'another operation with the reversed codes', {
    file: 'operations/events/getEvent.yaml',
    text: /Unauthorized.yaml(.*\n.*\n.*)Forbidden/,
    by: 'AccountNotApproved.yaml$1AccountForbidden',
  }),
  M('house/answer-headers', 'an answer without its request id', {
    file: 'operations/customers/listCustomers.yaml',
    text: / {6}X-Request-Id:\n.*\n/,
    by: '',
    message: /200 lacks X-Request-Id/,
  }),
  M('house/answer-headers', 'a 503 that does not say when to come back', {
    file: 'refusals/Unavailable.yaml',
    text: / {2}Retry-After:\n.*\n/,
    by: '',
    where: '503',
    message: /503 lacks Retry-After/,
  }),
];
