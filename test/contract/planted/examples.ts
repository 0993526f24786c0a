import { mistake as M, type PlantedMistake } from './mistake.ts';

const ONE_EXAMPLE = / +examples:\n +[a-z_]+:\n +\$ref: .*\n/;

/** Mistakes of examples. */
export const EXAMPLES: readonly PlantedMistake[] = [
  M('no-invalid-media-type-examples', 'an example of a wrong type', {
    file: 'examples/account/merchant.yaml',
    text: 'name: Aurora Cursos',
    by: 'name: 7',
  }),
  M('no-invalid-parameter-examples', 'a parameter example out of bounds', {
    file: 'parameters/PerPage.yaml',
    text: 'example: 20',
    by: 'example: 101',
  }),
  M('house/media-type-example', 'a request without an example', {
    file: 'operations/customers/createCustomer.yaml',
    text: ONE_EXAMPLE,
    by: '',
  }),
  M('house/media-type-example', 'a refusal without an example', {
    file: 'refusals/RecipientUnauthenticated.yaml',
    text: / {4}examples:\n(.*\n)*/,
    by: '',
  }),
  M('house/parameter-example', 'a path parameter without an example', {
    file: 'parameters/EventId.yaml',
    text: /example: .*\n/,
    by: '',
  }),
  M('example-valid', 'an example that breaks a condition', {
    file: 'examples/orders/order-pix-request.yaml',
    text: '    payment_method: pix',
    by: '    payment_method: pix\n    installments: 2',
    where: 'POST /charges/orders body order_pix',
  }),
  M('example-valid', 'an example with a field that answers do not have', {
    file: 'examples/events/event.yaml',
    text: 'environment: sandbox',
    by: 'environment: sandbox\n  colour: red',
    where: 'GET /events/{id} 200 event',
    message: /colour/,
  }),
  M('example-reference', 'an example that refers to a record that no example shows', {
    file: 'examples/payments/refund-in-progress.yaml',
    text: /payment_id: .*/,
    by: 'payment_id: 01a1ff00-0000-7000-8000-000000000000',
    where: 'POST /payments/{identifier}/refunds 201 refund_in_progress',
  }),
  M('example-valid', 'an example whose check digits do not fit', {
    file: 'examples/customers/customer.yaml',
    text: '52998224725',
    by: '52998224724',
    where: 'POST /customers 201',
    message: /check digits/,
  }),
];
