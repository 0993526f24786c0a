import type { Acquirer, AcquirerCommand, OutcomeOf } from './acquirer.ts';

const UNKNOWN = { kind: 'unknown', cause: 'no_acquirer' } as const;

/**
 * Used in production if no acquirer is configured. No order is accepted, and operations that were sent before stay open
 * until an acquirer is configured again.
 */
export const missingAcquirer: Acquirer = {
  isConfigured: false,
  perform: async <C extends AcquirerCommand>() => UNKNOWN as OutcomeOf<C>,
  inquire: async () => UNKNOWN,
  inquireEvidence: async () => UNKNOWN,
};
