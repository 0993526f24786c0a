import type { Acquirer, AcquirerRequest, AuthorizeCard } from '../../gateway/acquirer.ts';
import type { SandboxControl } from '../../gateway/sandbox-control.ts';
import type { Deps } from '../../services/deps.ts';
import { reconcileOperations } from '../../services/payments/reconcile-operations.ts';
import { startTestService, type TestService } from './service.ts';
import { until } from './until.ts';

/** A service whose clock and acquirer a test holds in its hands. No background job runs: the test calls them. */
export interface MoneyService extends TestService {
  readonly control: SandboxControl;
  /** Moves the service's wall clock ahead of the machine's, to this much in all. */
  setAhead(ms: number): void;
  /** Puts these calls in place of the acquirer's own until `undo`; the real ones are handed in. */
  intercept(calls: (real: Acquirer) => Partial<Acquirer>): { undo(): void };
  /** Rows of any table, the simulated acquirer's books (`simulator.…`) included. */
  rows<Row>(sql: string, params?: Record<string, unknown>): Promise<Row[]>;
}

const CALLS = [
  'authorizeCard',
  'capture',
  'cancel',
  'refund',
  'createPixCharge',
  'requestNetworkToken',
  'inquire',
] as const satisfies (keyof Acquirer)[];

export async function startMoneyService(env: Record<string, string> = {}): Promise<MoneyService> {
  let ahead_ms = 0;
  const service = await startTestService({
    env: { ROLE: 'api', ...env },
    overrides: { wall: () => new Date(Date.now() + ahead_ms) },
  });
  const deps = service.deps as { -readonly [Key in keyof Deps]: Deps[Key] };
  const real = deps.acquirer;
  let instead: Partial<Acquirer> = {};
  deps.acquirer = Object.fromEntries(
    CALLS.map((name) => [name, (asked: never) => (instead[name] ?? real[name])(asked)]),
  ) as unknown as Acquirer;
  return {
    ...service,
    control: deps.sandbox!,
    setAhead: (ms) => {
      ahead_ms = ms;
    },
    intercept: (calls) => {
      instead = calls(real);
      return {
        undo: () => {
          instead = {};
        },
      };
    },
    rows: (sql, params = {}) => deps.db.anywhere(sql, params),
  };
}

/** What the acquirer is asked to authorize while `work` runs. */
export async function authorizations(
  service: MoneyService,
  work: () => Promise<unknown>,
): Promise<AuthorizeCard[]> {
  const asked: AuthorizeCard[] = [];
  const spy = service.intercept((real) => ({
    authorizeCard: (request) => {
      asked.push(request);
      return real.authorizeCard(request);
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
 * The answers of the acquirer are lost, each at the moment at which its books know of the request: what a time-out of
 * the client comes to, without waiting for it.
 */
export function loseAnswers(service: MoneyService): { undo(): void } {
  const lost =
    <Asked extends AcquirerRequest>(call: (asked: Asked) => Promise<unknown>) =>
    async (asked: Asked) => {
      void call(asked);
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
    authorizeCard: lost(real.authorizeCard),
    capture: lost(real.capture),
    cancel: lost(real.cancel),
    refund: lost(real.refund),
    createPixCharge: lost(real.createPixCharge),
  }));
}

/** What `ask` resolves to while the acquirer's answers are lost. */
export async function unheard<Result>(service: MoneyService, ask: () => Promise<Result>): Promise<Result> {
  const lost = loseAnswers(service);
  try {
    return await ask();
  } finally {
    lost.undo();
  }
}

/** The reconciler's rounds until it finds nothing, this long after now; resolves to how many it looked at. */
export async function reconcile(service: MoneyService, ahead_ms = 2_000): Promise<number> {
  service.setAhead(ahead_ms);
  let looked = 0;
  for (let found = 1; found > 0; looked += found) found = await reconcileOperations(service.deps);
  return looked;
}
