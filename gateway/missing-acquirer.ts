import type { Acquirer, Outcome } from './acquirer.ts';

const unknown = async (): Promise<Outcome & { kind: 'unknown' }> => ({
  kind: 'unknown',
  cause: 'no_acquirer',
});

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
