import { mistake as M, type PlantedMistake } from './mistake.ts';

const ONE_EXAMPLE = / +examples:\n +[a-z_]+:\n +\$ref: .*\n/;

/** Mistakes of examples. */
export const EXAMPLES: readonly PlantedMistake[] = [
  M(
    'no-invalid-media-type-examples',
    'an example of a wrong type',
    'examples/account/merchant.yaml',
    'name: Aurora Cursos',
    'name: 7',
  ),
  M(
    'no-invalid-parameter-examples',
    'a parameter example out of bounds',
    'parameters/PerPage.yaml',
    'example: 20',
    'example: 101',
  ),
  M(
    'house/media-type-example',
    'a request without an example',
    'operations/customers/createCustomer.yaml',
    ONE_EXAMPLE,
    '',
  ),
  M(
    'house/media-type-example',
    'a refusal without an example',
    'refusals/RecipientUnauthenticated.yaml',
    / {4}examples:\n(.*\n)*/,
    '',
  ),
  M(
    'house/parameter-example',
    'a path parameter without an example',
    'parameters/EventId.yaml',
    /example: .*\n/,
    '',
  ),
  M(
    'example-valid',
    'an example that breaks a condition',
    'examples/orders/order-pix-request.yaml',
    '    payment_method: pix',
    '    payment_method: pix\n    installments: 2',
    { where: 'POST /charges/orders body order_pix' },
  ),
  M(
    'example-valid',
    'an example with a field that answers do not have',
    'examples/events/event.yaml',
    'environment: sandbox',
    'environment: sandbox\n  colour: red',
    { where: 'GET /events/{id} 200 event', message: /colour/ },
  ),
  M(
    'example-reference',
    'an example that refers to a record that no example shows',
    'examples/payments/refund-in-progress.yaml',
    /payment_id: .*/,
    'payment_id: 01a1ff00-0000-7000-8000-000000000000',
    { where: 'POST /payments/{identifier}/refunds 201 refund_in_progress' },
  ),
  M(
    'example-valid',
    'an example whose check digits do not fit',
    'examples/customers/customer.yaml',
    '52998224725',
    '52998224724',
    { where: 'POST /customers 201', message: /check digits/ },
  ),
];
