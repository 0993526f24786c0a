import { mistake as M, type PlantedMistake } from './mistake.ts';

/** Mistakes of answers and refusals. */
export const ANSWERS: readonly PlantedMistake[] = [
  M(
    'house/refusal-by-reference',
    'an inline refusal',
    'operations/recipients/getRecipient.yaml',
    '$ref: ../../refusals/RecipientNotFound.yaml',
    'description: Gone.',
  ),
  M(
    'house/unauthorized-answer',
    'security without a 401',
    'operations/customers/getCustomer.yaml',
    / {2}'401':\n.*\n/,
    '',
  ),
  M(
    'house/complete-answers',
    'an answer that is left out',
    'operations/orders/createOrder.yaml',
    / {2}'413':\n.*\n/,
    '',
    { where: 'openapi.yaml#/paths/~1charges~1orders/post', message: /413/ },
  ),
  M(
    'house/swapped-answers',
    'GET /merchant with the usual 401',
    'operations/account/getMerchant.yaml',
    'AccountNotApproved',
    'Unauthorized',
  ),
  M(
    'house/swapped-answers',
    'another operation with the reversed codes',
    'operations/events/getEvent.yaml',
    /Unauthorized.yaml(.*\n.*\n.*)Forbidden/,
    'AccountNotApproved.yaml$1AccountForbidden',
  ),
  M(
    'house/answer-headers',
    'an answer without its request id',
    'operations/customers/listCustomers.yaml',
    / {6}X-Request-Id:\n.*\n/,
    '',
    { message: /200 lacks X-Request-Id/ },
  ),
  M(
    'house/answer-headers',
    'a 503 that does not say when to come back',
    'refusals/Unavailable.yaml',
    / {2}Retry-After:\n.*\n/,
    '',
    { where: '503', message: /503 lacks Retry-After/ },
  ),
];
