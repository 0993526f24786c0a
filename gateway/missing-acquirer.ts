import type { Acquirer } from './acquirer.ts';

const unknown = async () => ({ kind: 'unknown', cause: 'no_acquirer' }) as const;

/**
 * In place of an acquirer where production is told of none: no order is begun, and what an acquirer was asked before
 * stays open until there is one again.
 */
export const missingAcquirer: Acquirer = {
  isMissing: true,
  authorizeCard: unknown,
  capture: unknown,
  cancel: unknown,
  refund: unknown,
  createPixCharge: unknown,
  requestNetworkToken: unknown,
  inquire: unknown,
};
