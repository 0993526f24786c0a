import type { SupportedMethod } from '../../payments/methods/index.ts';
import type { BillingMethod } from './names.ts';

/** The methods by which a subscription can be charged today. */
export const CHARGING_METHODS = [
  'credit_card',
  'browser_wallet',
  'bank_slip',
  'pix',
  'pix_recurring',
] as const satisfies readonly (BillingMethod & SupportedMethod)[];
export type ChargingMethod = (typeof CHARGING_METHODS)[number];

/** Whether a subscription can be charged by a method today. */
export function isChargingMethod(method: string): method is ChargingMethod {
  return (CHARGING_METHODS as readonly string[]).includes(method);
}
