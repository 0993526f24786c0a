import { findCustomer } from '../../db/customers/customers.ts';
import { type Address, normalizeAddress } from '../../domain/contact.ts';
import { type Customer, type CustomerDocument, taxNumberOf } from '../../domain/customers/customer.ts';
import { isUuid, normalizeUuid, uuidV7 } from '../../domain/identifiers.ts';
import { filledLine, singleLine } from '../../domain/text.ts';
import type { TransactionContext } from '../deps.ts';
import { invalid, Violations } from '../refusal.ts';
import { addCustomer, replaceTypedCustomer } from './create-customer.ts';
import { checkCustomer, type NewCustomer } from './customer-rules.ts';

export const NO_SUCH_CUSTOMER = 'You have no such customer.';

/**
 * The buyer of an order: the id of a customer, or the data to find one by e-mail or to create one. With an id too, the
 * order can name the tax number and the address that the stored customer does not have.
 */
export type CustomerReference = ({ readonly id: string } & PayerSource) | CustomerData;

export interface CustomerData extends NewCustomer {
  readonly id?: undefined;
}

/** What some payment methods need of a buyer: of the customer, or else of the order. */
export interface Payer {
  /** CPF or CNPJ; null if neither has one. */
  readonly document: CustomerDocument | null;
  /** The first billing address, else the first address; null if neither has one. */
  readonly address: Address | null;
}

/** The buyer of a payment. */
export interface PayingCustomer extends Payer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/**
 * Adds the violations of a buyer that may have to be created, with paths that begin with `customer.`. Needs no
 * database, so a use case can report them with its own violations; `resolveCustomer` checks again.
 */
export function checkCustomerReference(violations: Violations, reference: CustomerReference): void {
  if (reference.id === undefined) checkCustomer(violations, reference, 'customer.');
}

/**
 * The buyer of an order. With `id`: the stored customer; refuses `customer.id` when the merchant has no such customer.
 * Without `id`: the stored customer with the e-mail (compared without case), or a new one; two simultaneous orders
 * create one customer. The tax number and the address are the stored ones, or those that were sent. What a buyer typed
 * earlier at a checkout page is replaced by what the merchant sends.
 */
export async function resolveCustomer(
  context: TransactionContext,
  reference: CustomerReference,
): Promise<PayingCustomer> {
  if (reference.id !== undefined) return payingCustomer(await existing(context, reference.id), reference);
  const violations = new Violations();
  checkCustomerReference(violations, reference);
  violations.throwIfAny();
  const stored = await findOrAdd(context, reference);
  return reference.isTypedByBuyer ? typedCustomer(stored.id, reference) : payingCustomer(stored, reference);
}

async function existing({ tx, merchant }: TransactionContext, id: string): Promise<Customer> {
  const customer = isUuid(id)
    ? await findCustomer(tx, merchant, { by: 'id', value: normalizeUuid(id) })
    : undefined;
  if (customer === undefined) throw invalid({ 'customer.id': NO_SUCH_CUSTOMER });
  return customer;
}

async function findOrAdd(context: TransactionContext, input: NewCustomer): Promise<Customer> {
  const { deps, tx, merchant } = context;
  const byEmail = { by: 'email', value: input.email } as const;
  const id = uuidV7(deps.wall().getTime(), deps.random);
  const found = await findCustomer(tx, merchant, byEmail);
  const isReplaced = found?.isTypedByBuyer === true && !input.isTypedByBuyer;
  const customer =
    (isReplaced ? await replaceTypedCustomer(context, input) : found) ??
    (await addCustomer(context, id, input)) ??
    (await findCustomer(tx, merchant, byEmail));
  if (customer === undefined)
    throw invalid({ 'customer.email': 'Another request is changing this customer.' });
  return customer;
}

/** A stored customer as the buyer of a payment, completed by what the request of a merchant says. */
function payingCustomer(customer: Customer, request: PayerSource): PayingCustomer {
  return completedCustomer(customer, payerOf(request, undefined));
}

/**
 * The same, completed by what an earlier request has said. What a buyer typed at a page counts less than what the
 * merchant says.
 */
export function completedCustomer(customer: Customer, said: Payer): PayingCustomer {
  const { id, name, email, isTypedByBuyer } = customer;
  const stored = payerOf(customer, undefined);
  const [first, second] = isTypedByBuyer ? [said, stored] : [stored, said];
  return {
    id,
    name: filledLine(name),
    email,
    document: first.document ?? second.document,
    address: first.address ?? second.address,
  };
}

/** A buyer who typed these data at a page. */
export function typedCustomer(id: string, typed: BuyerData): PayingCustomer {
  const { name, email } = typed;
  return { id, name: filledLine(name), email, ...payerOf(undefined, typed) };
}

/** The data of a stored customer, completed by what an order says. `stored`: the one that is preferred. */
export function payerOf(stored: PayerSource | undefined, sent: PayerSource | undefined): Payer {
  return {
    document: taxNumberOf(stored?.documents ?? []) ?? taxNumberOf(sent?.documents ?? []),
    address: mainAddress(stored?.addresses) ?? mainAddress(sent?.addresses) ?? null,
  };
}

type PayerSource = Pick<NewCustomer, 'documents' | 'addresses'>;
type BuyerData = PayerSource & Pick<NewCustomer, 'name' | 'email'>;

function mainAddress(given: readonly Address[] = []): Address | undefined {
  const address = given.find(({ type }) => type === 'billing') ?? given[0];
  return address && inSingleLines(normalizeAddress(address));
}

/** Other systems show no other texts, and refuse empty ones. The contract accepts blanks, and once accepted more. */
function inSingleLines(address: Address): Address {
  const { line2, ...rest } = address;
  const { line1, number, neighborhood, city, state } = rest;
  const required = Object.entries({ line1, number, neighborhood, city, state });
  const clean = Object.fromEntries(required.map(([name, text]) => [name, filledLine(text)]));
  const second = line2 && singleLine(line2);
  return { ...rest, ...clean, ...(second && { line2: second }) };
}
