import { addDays } from '../../../domain/business-days.ts';
import { merchantDay, startOfMerchantDay } from '../../../domain/local-time.ts';
import { clockNow, HOUR_MS } from '../clock-calls.ts';
import type { TestService } from '../service.ts';
import type { Shop } from '../shop.ts';
import { created } from '../shop.ts';
import { discrepanciesOf } from './discrepancies.ts';
import { authorizeMandate, mandateOf, requestMandate, scheduleCharge, sendCharge } from './mandates.ts';
import { notification } from './notifications.ts';

export const AMOUNT = 4_990;
export const METHOD = 'pix_recurring' as const;

/** What the tests of mandates ask of the service and of the acquirer. */
export function mandateCalls(service: TestService, shop: Shop) {
  const script = (customer_id: string, operation: string, ...outcomes: string[]) =>
    created(
      shop.post('/sandbox/scripts', {
        customer_id,
        outcomes: outcomes.map((outcome) => ({ operation, outcome })),
      }),
    );

  const stateOf = async (paymentId: string) => (await mandateOf(shop, paymentId)).state;
  const lastDiscrepancy = async () => (await discrepanciesOf(service, shop.account)).at(-1)?.reason;
  const inTwoDays = async () => addDays(merchantDay(new Date(await clockNow(shop))), 2);
  const at6h = (day: string) => ({
    to: new Date(startOfMerchantDay(day).getTime() + 6 * HOUR_MS).toISOString(),
  });

  /** A notification about a payment as the acquirer would send it, with the right reference and amount. */
  async function report(paymentId: string, type: Parameters<typeof notification>[2], fields: object = {}) {
    const { amount } = await shop.payment(paymentId);
    const reference = await shop.reference(paymentId);
    return notification(shop.account, reference, type, {
      method: METHOD,
      amount_centavos: amount,
      ...fields,
    });
  }

  async function authorized(wanted: Parameters<typeof requestMandate>[1] = {}): Promise<string> {
    const id = await requestMandate(shop, wanted);
    await authorizeMandate(shop, id);
    return id;
  }

  /** A charge that is due in two days and was sent. */
  async function sentCharge(mandateId: string): Promise<{ id: string; due: string }> {
    const due = await inTwoDays();
    const id = await scheduleCharge(shop, mandateId, due);
    await sendCharge(shop, id);
    return { id, due };
  }

  return {
    script,
    stateOf,
    lastDiscrepancy,
    inTwoDays,
    at6h,
    report,
    authorized,
    sentCharge,
  };
}
