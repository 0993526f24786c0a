import { merchantDay } from '../../domain/local-time.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type AgreedTerms, qrExpiry } from '../../domain/payments/mandate.ts';
import { hasMandate } from '../../domain/payments/methods/index.ts';
import type { PixRecurringDetails } from '../../domain/payments/methods/pix-recurring.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Plan } from '../../domain/subscriptions/billing.ts';
import type { MandateTerms } from '../../domain/subscriptions/mandate-terms.ts';
import { mandateProblems } from '../../domain/subscriptions/new-subscription-problems.ts';
import type { PayingCustomer } from '../customers/resolve-customer.ts';
import type { Deps, TransactionContext } from '../deps.ts';
import {
  addMandate,
  mandatePaymentDetails,
  preparedMandate,
} from '../payments/methods/mandates/request-mandate.ts';
import { MANDATE_AMOUNT_FIELDS, type MandateInput } from '../payments/methods/pix-recurring.ts';
import type { BegunOperation } from '../payments/run-operation.ts';
import type { Violations } from '../refusal.ts';
import { addCyclePayment, type Charge, type ChargeContext, cyclePayment } from './cycle-payment.ts';

/** Adds the rules that the amounts of a mandate break, for the prices of a plan and the price of the next charge. */
export function checkMandate(
  violations: Violations,
  plan: Plan,
  nextChargeAmount_centavos: number | null,
  input: MandateInput,
): void {
  const isAllowed = checkMandateAmounts(violations, plan, input);
  if (!isAllowed || nextChargeAmount_centavos === null) return;
  const ladder = [{ start: 1, end: null, amount_centavos: nextChargeAmount_centavos }];
  if (mandateProblems({ ...plan, ladder }, amounts(input)).length > 0) {
    violations.add('nextChargeAmount', 'Must be an amount that the mandate allows.');
  }
}

/** The same for the prices of a plan alone. Returns whether no rule is broken. */
export function checkMandateAmounts(violations: Violations, plan: Plan, input: MandateInput): boolean {
  const problems = mandateProblems(plan, amounts(input));
  for (const { about, sentence } of problems) {
    violations.add(MANDATE_AMOUNT_FIELDS[about], sentence);
  }
  return problems.length === 0;
}

/** The terms of a new mandate for a plan. `at` is the merchant's time. */
export function newMandateTerms(input: MandateInput, { interval }: Plan, at: Date): MandateTerms {
  return {
    state: 'created',
    qrExpiresAt: qrExpiry(at),
    interval,
    ...amounts(input),
    allowsRetries: input.retryPolicy ?? false,
  };
}

function amounts({ recurringAmount, minAmount }: MandateInput) {
  return { recurringAmount_centavos: recurringAmount ?? null, minAmount_centavos: minAmount ?? null };
}

/** The request for a new mandate. */
export interface MandateRequest {
  readonly details: PixRecurringDetails;
  readonly agreed: AgreedTerms;
  /** The first charge. The payer authorizes the mandate by paying it. Null: the payer authorizes it without paying. */
  readonly charge: Charge | null;
}

/** A new mandate with these terms. `firstChargeOn`: the day of the first charge that follows the authorization. */
export function newMandateRequest(
  deps: Deps,
  merchant: Merchant,
  { interval, recurringAmount_centavos, minAmount_centavos, allowsRetries }: MandateTerms,
  {
    charge,
    firstChargeOn,
    statement = null,
    at,
  }: {
    readonly charge: Charge | null;
    readonly firstChargeOn: string;
    readonly statement: string | null | undefined;
    readonly at: Date;
  },
): MandateRequest {
  const role = charge === null ? 'authorization' : 'first_charge';
  return {
    charge,
    details: mandatePaymentDetails(deps, merchant, role, at),
    agreed: {
      interval,
      firstChargeOn,
      recurringAmount_centavos,
      minAmount_centavos,
      allowsRetries,
      statement,
    },
  };
}

/** The payment with which a mandate is requested. Without a charge its amount is 0. */
export function requestingPayment(
  context: ChargeContext,
  { details, agreed, charge }: MandateRequest,
  customer: PayingCustomer,
): Payment {
  const { subscription, at } = context;
  const means = { prepared: preparedMandate(details, agreed), customer };
  if (charge !== null) return cyclePayment(context, charge, means);
  const authorization = { cycle: null, amount_centavos: 0, dueOn: merchantDay(at) };
  const unsplit = { ...context, subscription: { ...subscription, split: [] } };
  const payment = cyclePayment(unsplit, authorization, means);
  return { ...payment, status: 'scheduled', billingDate: null, history: [{ status: 'scheduled', at }] };
}

/** Writes that payment, its mandate and its pending operation. The subscription exists. */
export async function addMandateRequest(
  context: TransactionContext,
  payment: Payment,
  { details, agreed }: MandateRequest,
  customer: PayingCustomer,
): Promise<BegunOperation> {
  if (!hasMandate(payment)) throw new Error(`The payment ${payment.id} cannot ask for a mandate.`);
  const begun = await addCyclePayment(context, payment, {
    prepared: preparedMandate(details, agreed),
    customer,
  });
  await addMandate(context, payment, payment.subscriptionId!, agreed);
  return begun;
}
