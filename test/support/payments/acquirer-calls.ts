/** Intercepts calls to the acquirer: counts or replaces them, or loses their answers. */
import type {
  Acquirer,
  AcquirerCommand,
  AuthorizeCard,
  PaymentCommand,
  SubmitEvidence,
} from '../../../gateway/acquirer.ts';
import { reconcileEvidence, reconcileOperations } from '../run-jobs.ts';
import type { TestService } from '../service.ts';
import { until } from '../until.ts';

/** The authorizations that are requested from the acquirer while `work` runs. */
export async function authorizations(
  service: TestService,
  work: () => Promise<unknown>,
): Promise<AuthorizeCard[]> {
  const asked: AuthorizeCard[] = [];
  const spy = service.intercept((real) => ({
    authorize: (request) => {
      if ('card' in request) asked.push(request);
      return real.perform(request);
    },
  }));
  try {
    await work();
  } finally {
    spy.undo();
  }
  return asked;
}

/**
 * Loses the answers of the acquirer as soon as it has recorded a request: the result is that of a client's time-out,
 * without the wait.
 */
export function loseAnswers(service: TestService): { undo(): void } {
  const lost = (real: Acquirer) => async (asked: PaymentCommand | SubmitEvidence) => {
    void real.perform(asked);
    await until('the acquirer has the request', async () => {
      const { reference } = asked;
      const seen = await service.rows('select 1 from simulator.operations where reference = :reference', {
        reference,
      });
      return seen.length > 0;
    });
    return { kind: 'unknown', cause: 'time_out' } as const;
  };
  return service.intercept((real) => ({
    authorize: lost(real),
    capture: lost(real),
    cancel: lost(real),
    refund: lost(real),
    pix_charge: lost(real),
    bank_slip_charge: lost(real),
    mandate: lost(real),
    mandate_charge: lost(real),
    cancel_mandate: lost(real),
    dispute_evidence: lost(real),
  }));
}

/** The result of `ask`, during which the acquirer's answers are lost. */
export async function withLostAnswers<Result>(
  service: TestService,
  ask: () => Promise<Result>,
): Promise<Result> {
  const lost = loseAnswers(service);
  try {
    return await ask();
  } finally {
    lost.undo();
  }
}

/**
 * Runs the reconciler, this long after now, until it finds nothing. Returns how many operations, and texts against
 * disputes, it looked at.
 */
export async function reconcile(service: TestService, ahead_ms = 2_000): Promise<number> {
  service.setAhead(ahead_ms);
  let looked = 0;
  for (let found = 1; found > 0; looked += found) {
    found = (await reconcileOperations(service.deps)) + (await reconcileEvidence(service.deps));
  }
  return looked;
}

/** The commands that the acquirer gets while `work` runs, without those that read the contents of wallet tokens. */
export async function commandsDuring(
  service: TestService,
  work: () => Promise<unknown>,
): Promise<AcquirerCommand[]> {
  const commands: AcquirerCommand[] = [];
  const spy = service.intercept((real) => ({
    perform: (command) => {
      if (command.kind !== 'wallet_token') commands.push(command);
      return real.perform(command);
    },
  }));
  try {
    await work();
  } finally {
    spy.undo();
  }
  return commands;
}
