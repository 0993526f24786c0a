/** The body of a new payment link with a fixed amount. A field given as undefined is left out. */
export function linkBody(fields: object = {}) {
  return {
    title: 'Workshop',
    amount_type: 'fixed',
    amount: 15_990,
    payment_methods: ['pix', 'credit_card'],
    ...fields,
  };
}

/** The same of a link whose amount the buyer types. */
export function openLinkBody(fields: object = {}) {
  return linkBody({ amount_type: 'customer_defined', amount: undefined, ...fields });
}
