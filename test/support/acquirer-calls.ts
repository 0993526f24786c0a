/** Intercepts calls to the acquirer: counts or replaces them, or loses their answers. */
import type {
  Acquirer,
  AcquirerCommand,
  AuthorizeCard,
  CommandOf,
  OutcomeOf,
  PaymentCommand,
} from '../../gateway/acquirer.ts';
import { reconcileOperations } from '../../jobs/payments/reconcile-operations.ts';
import type { TestService } from './service.ts';
import { until } from './until.ts';

/** The replacement of the acquirer: for commands of one kind, or for all of them. */
type Interception = {
  readonly [K in AcquirerCommand['kind']]?: (command: CommandOf<K>) => Promise<OutcomeOf<CommandOf<K>>>;
} & Partial<Pick<Acquirer, 'perform' | 'inquire'>>;

/**
 * Replaces some calls of the acquirer until `undo`. The function gets the acquirer as it is now, with all earlier
 * interceptions.
 */
export type Intercept = (calls: (real: Acquirer) => Interception) => { undo(): void };

/** Makes the calls of a service to its acquirer interceptable. */
export function interceptable(deps: { acquirer: Acquirer }): Intercept {
  const { isConfigured } = deps.acquirer;
  let top = deps.acquirer;
  deps.acquirer = {
    isConfigured,
    perform: (command) => top.perform(command),
    inquire: (inquiry) => top.inquire(inquiry),
  };
  return (calls) => {
    const below = top;
    let instead = calls(below);
    top = {
      isConfigured,
      perform: (command) => {
        const ofKind = instead[command.kind] as Acquirer['perform'] | undefined;
        return (ofKind ?? instead.perform ?? below.perform)(command);
      },
      inquire: (inquiry) => (instead.inquire ?? below.inquire)(inquiry),
    };
    return {
      undo: () => {
        instead = {};
      },
    };
  };
}

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
  const lost = (real: Acquirer) => async (asked: PaymentCommand) => {
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

/** Runs the reconciler, this long after now, until it finds nothing. Returns how many operations it looked at. */
export async function reconcile(service: TestService, ahead_ms = 2_000): Promise<number> {
  service.setAhead(ahead_ms);
  let looked = 0;
  for (let found = 1; found > 0; looked += found) found = await reconcileOperations(service.deps);
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
