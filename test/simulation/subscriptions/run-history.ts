import { assertAcquirerAgrees } from '../../support/acquirer-records.ts';
import { discrepanciesOf } from '../../support/discrepancies.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { create } from './actions/create.ts';
import { ACTIONS } from './actions/index.ts';
import { compareWithModels } from './compare.ts';
import { FaultyAcquirer } from './faults.ts';
import { assertInvariants } from './invariants.ts';
import { World } from './world.ts';

const MIN_ACTIONS = 10;
const MAX_ACTIONS = 30;
const DRAWN = ACTIONS.flatMap((action) => Array.from({ length: action.weight }, () => action));

/** A history whose service does not agree with the model. The cause has the difference. */
export class FailedHistory extends Error {
  readonly seed: number;

  constructor(seed: number, log: readonly string[], cause: unknown) {
    super(`SEED=${seed} fails after:\n  ${log.join('\n  ')}`, { cause });
    this.seed = seed;
  }
}

/** A service on which histories run one after another. */
export class Simulation implements AsyncDisposable {
  readonly #service: TestService;
  readonly #acquirer: FaultyAcquirer;

  private constructor(service: TestService) {
    this.#service = service;
    this.#acquirer = new FaultyAcquirer(service);
  }

  static async start(): Promise<Simulation> {
    return new Simulation(await startTestService({ jobs: false }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#service.stop();
  }

  /** Runs the history of a seed with a new merchant. Returns what happened. Throws a `FailedHistory`. */
  async run(seed: number): Promise<readonly string[]> {
    const log: string[] = [];
    try {
      await this.#live(seed, log);
      return log;
    } catch (error) {
      throw new FailedHistory(seed, log, error);
    }
  }

  async #live(seed: number, log: string[]): Promise<void> {
    const random = new SeededRandom(seed);
    this.#acquirer.unanswered.length = 0;
    const world = await World.open(this.#service, this.#acquirer, random);
    const { account } = world;
    const length = random.integer(MIN_ACTIONS, MAX_ACTIONS);
    while (log.length < length) {
      const action = log.length === 0 ? create : random.pick(DRAWN);
      log.push(action.name);
      const done = await action.run(world);
      log.pop();
      if (done === null) continue;
      log.push(`${action.name} ${done}`);
      await world.holdOperations();
      await compareWithModels(world);
      await assertInvariants(world);
    }
    await world.reconcile();
    await compareWithModels(world);
    await assertAcquirerAgrees(this.#service, account);
    const discrepancies = await discrepanciesOf(this.#service, account);
    if (discrepancies.length > 0) throw new Error(`Discrepancies: ${JSON.stringify(discrepancies)}`);
  }
}
