import type { RecoveryPoint } from '../../../services/recovery-points.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { startTestService, type TestService } from '../../support/service.ts';

import type { Action } from './actions/action.ts';
import { create } from './actions/create.ts';
import { ACTIONS } from './actions/index.ts';
import { compareWithModels } from './compare.ts';
import { DEATHS, FaultyAcquirer } from './faults.ts';
import { assertInvariants } from './invariants.ts';
import { assertMoneyShared } from './money.ts';
import { keepSentNotifications } from './sent-notifications.ts';
import { type Theme, themeOf } from './themes.ts';
import { addUnsentCharge } from './unsent-charges.ts';
import { World } from './world.ts';

/** A history begins with so many subscriptions, so that each of its steps can meet several states. */
const FIRST_SUBSCRIPTIONS = 4;
const MIN_STEPS = 15;
const MAX_STEPS = 45;

/** What happened in a history. */
export interface HistoryResult {
  /** One line for each action that was possible, with the number of its step. */
  readonly log: readonly string[];
  /** The payment methods with which subscriptions were created. */
  readonly methods: readonly string[];
  readonly theme: string;
}

/** A history whose service does not agree with the model. The cause has the difference. */
export class FailedHistory extends Error {
  readonly seed: number;
  /** The steps that were made, the last one included. */
  readonly steps: readonly number[];

  constructor(seed: number, log: readonly string[], steps: readonly number[], cause: unknown) {
    super(`make simulate SEED=${seed} STEPS=${steps.join(',')} fails after:\n  ${log.join('\n  ')}`, {
      cause,
    });
    this.seed = seed;
    this.steps = steps;
  }
}

function weightOf({ name, weight }: Action, { weights }: Theme): number {
  return weights[name] ?? weight;
}

/** A service on which histories run one after another. */
export class Simulation implements AsyncDisposable {
  readonly #service: TestService;
  readonly #acquirer: FaultyAcquirer;

  private constructor(service: TestService, acquirer: FaultyAcquirer) {
    this.#service = service;
    this.#acquirer = acquirer;
  }

  static async start(): Promise<Simulation> {
    const acquirer = new FaultyAcquirer();
    const overrides = { reached: (point: RecoveryPoint) => acquirer.reached(point) };
    const service = await startTestService({ jobs: false, overrides });
    acquirer.use(service);
    await keepSentNotifications(service);
    return new Simulation(service, acquirer);
  }

  /** What has gone wrong so far: how often the process died, by moment, and how often two workers ran at once. */
  get faults(): Readonly<Record<string, number>> {
    const { deaths, overlaps } = this.#acquirer;
    return { ...deaths, overlaps };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#service.stop();
  }

  /**
   * Runs the history of a seed with a new merchant; with `steps`, only these of its steps. Every step has random
   * numbers of its own, so it does not change when another one is left out. Throws a `FailedHistory`.
   */
  async run(seed: number, steps?: readonly number[]): Promise<HistoryResult> {
    const log: string[] = [];
    const made: number[] = [];
    const random = new SeededRandom(seed);
    this.#acquirer.restart();
    try {
      const world = await World.open(this.#service, this.#acquirer, random, themeOf(seed));
      const drawn = ACTIONS.flatMap((action) => Array<Action>(weightOf(action, world.theme)).fill(action));
      const length = random.integer(MIN_STEPS, MAX_STEPS);
      for (let step = 0; step < length; step++) {
        const action = step < FIRST_SUBSCRIPTIONS ? create : random.pick(drawn);
        world.random = new SeededRandom(random.integer(0, 2 ** 31));
        if (steps !== undefined && !steps.includes(step)) continue;
        made.push(step);
        log.push(`${step} ${action.name}`);
        this.#acquirer.beginAction(world.random.pick(DEATHS));
        const done = await action.run(world);
        await addUnsentCharge(world);
        this.#acquirer.beginAction('none');
        log.pop();
        if (done === null) made.pop();
        if (done === null) continue;
        log.push(`${step} ${action.name} ${done}`);
        await world.reconcileIssued();
        await world.settle();
        if (await compareWithModels(world)) await assertInvariants(world);
      }
      await this.#check(world);
      const methods = log.flatMap((line) => /"method":"(\w+)"/.exec(line)?.[1] ?? []);
      return { log, methods, theme: world.theme.name };
    } catch (error) {
      throw new FailedHistory(seed, log, made, error);
    }
  }

  /** The same failure with fewer steps: leaves out one step after another, as long as the history still fails. */
  async shorten(failed: FailedHistory): Promise<FailedHistory> {
    let shortest = failed;
    for (const step of failed.steps.slice(0, -1).reverse()) {
      const fewer = shortest.steps.filter((one) => one !== step);
      if (fewer.length === shortest.steps.length) continue;
      try {
        await this.run(failed.seed, fewer);
      } catch (error) {
        if (!(error instanceof FailedHistory)) throw error;
        shortest = error;
      }
    }
    return shortest;
  }

  /** At the end every outcome is known, and all records agree. */
  async #check(world: World): Promise<void> {
    await world.reconcile();
    await world.settle();
    await compareWithModels(world);
    await assertAcquirerAgrees(this.#service, world.account);
    await assertMoneyShared(world);
    const discrepancies = await discrepanciesOf(this.#service, world.account);
    if (discrepancies.length > 0) throw new Error(`Discrepancies: ${JSON.stringify(discrepancies)}`);
  }
}
