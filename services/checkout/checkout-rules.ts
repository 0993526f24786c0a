import { type Checkout, type CheckoutProblem, MIN_TYPED_CENTAVOS } from '../../domain/checkout/checkout.ts';
import { normalizeAddress } from '../../domain/contact.ts';
import { taxNumberOf } from '../../domain/customers/customer.ts';
import { type InstallmentOption, installmentOption, installmentOptions } from '../../domain/installments.ts';
import { DEFAULT_LANGUAGE, type Language } from '../../domain/language.ts';
import type { OrderBuyer } from '../../domain/orders/order.ts';
import { type CheckoutMethod, checkoutRules } from '../../domain/payments/methods/index.ts';
import type { Offer } from '../../domain/products/offer.ts';
import { checkCustomer, type NewCustomer } from '../customers/customer-rules.ts';
import { notInThisState, Violations } from '../refusal.ts';

/** What a buyer sends to pay. */
export interface BuyerInput {
  readonly method: CheckoutMethod;
  readonly amount_centavos?: number | undefined;
  readonly installments: number;
  /** The amount with interest that the page has shown. */
  readonly shownTotal_centavos?: number | undefined;
  readonly customer: NewCustomer;
}

const WHY_NOT: Readonly<Record<CheckoutProblem, string>> = {
  disabled: 'This payment link is disabled.',
  expired: 'This payment link has expired.',
  exhausted: 'This payment link has reached its maximum number of payments.',
  taken: 'Every place of this payment link is taken.',
  archived: 'This offer is no longer sold.',
  unavailable: 'Nothing can be paid at this page at the moment.',
};

/** Refuses with `wrong_state` if nothing can be paid at the page. */
export function requireOpen({ problem }: Pick<Checkout, 'problem'>): void {
  if (problem !== null) throw notInThisState(WHY_NOT[problem]);
}

/** Refuses with `wrong_state` if the offer is archived. */
export function requireSold({ state }: Offer): void {
  if (state === 'archived') throw notInThisState(WHY_NOT.archived);
}

/** What a buyer typed, as it is stored. */
export function buyerOf(customer: NewCustomer, language: Language = DEFAULT_LANGUAGE): OrderBuyer {
  const { name, email, documents = [], phone = null } = customer;
  return {
    name,
    email,
    documents,
    addresses: (customer.addresses ?? []).map(normalizeAddress),
    phone,
    language,
  };
}

/** What the buyer pays: the price with its interest. Refuses all fields that break a rule of the page, together. */
export function checkedPrice(checkout: Checkout, input: BuyerInput): InstallmentOption {
  const violations = new Violations();
  const price = priceOf(violations, checkout, input);
  checkBuyer(violations, checkout, input);
  violations.throwIfAny();
  return price!;
}

function priceOf(
  violations: Violations,
  checkout: Checkout,
  { method, amount_centavos: typed_centavos, installments, shownTotal_centavos }: BuyerInput,
): InstallmentOption | null {
  const amount_centavos = checkout.amount_centavos ?? typed_centavos;
  const problem = amountProblem(checkout, typed_centavos);
  if (problem !== null) violations.add('amount_centavos', problem);
  if (amount_centavos === undefined) return null;
  const terms = checkoutRules(method).hasInstallments
    ? checkout.installments
    : { ...checkout.installments, maxInstallments: 1 };
  const option = installmentOption(amount_centavos, installments, terms);
  if (option === null) {
    const offered = installmentOptions(amount_centavos, terms).map((each) => each.installments);
    violations.add('installments', `Must be one of: ${offered.join(', ')}.`);
  } else if (shownTotal_centavos !== undefined && shownTotal_centavos !== option.total_centavos) {
    violations.add('shownTotal_centavos', `The total is ${option.total_centavos} centavos.`);
  }
  return option;
}

function amountProblem({ amount_centavos }: Checkout, typed_centavos: number | undefined): string | null {
  if (amount_centavos !== null) {
    // The page may have shown an older price.
    const isOther = typed_centavos !== undefined && typed_centavos !== amount_centavos;
    return isOther ? `The price is ${amount_centavos} centavos.` : null;
  }
  if (typed_centavos === undefined) return 'This field is required.';
  return typed_centavos < MIN_TYPED_CENTAVOS ? `Must be at least ${MIN_TYPED_CENTAVOS}.` : null;
}

/** Adds the rules that the payment method and the data of the buyer break. */
export function checkBuyer(
  violations: Violations,
  checkout: Checkout,
  { method, customer }: Pick<BuyerInput, 'method' | 'customer'>,
): void {
  if (!checkout.methods.includes(method)) {
    violations.add('paymentMethod', `Must be one of: ${checkout.methods.join(', ')}.`);
  }
  checkCustomer(violations, customer, 'customer.');
  const isBilled = checkoutRules(method).needsAddress;
  if (isBilled && taxNumberOf(customer.documents ?? []) === null) {
    violations.add('customer.documents', 'A boleto needs the CPF or CNPJ of the customer.');
  }
  if ((isBilled || checkout.requireAddress) && !customer.addresses?.length) {
    violations.add('customer.addresses', 'The address is required.');
  }
  if (checkout.collectPhone && customer.phone === undefined) {
    violations.add('customer.phone', 'The phone number is required.');
  }
}
