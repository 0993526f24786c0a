import assert from 'node:assert/strict';
import { cancelDueMandatesUnlessAdvancing } from '../../../services/payments/methods/mandates/run-due-mandates.ts';
import { reconcileOperationsOf } from '../../../services/payments/reconcile-operations.ts';
import { runDuePaymentsUnlessAdvancing } from '../../../services/payments/run-due-payments.ts';
import { runDueBillingUnlessAdvancing } from '../../../services/subscriptions/run-due-billing.ts';
import { recurringOffer } from '../../support/pages/offer-bodies.ts';
import { resumeAdvances } from '../../support/run-jobs.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import { send, type TestAnswer, type TestService } from '../../support/service.ts';
import { created, Shop } from '../../support/shop.ts';
import { DIED, type Fault, type FaultyAcquirer, isKill, sendWith } from './faults.ts';
import { settle } from './model/cycle.ts';
import { firstDue, hasLateResult, takeDueSteps, takeNextSteps } from './model/due-steps.ts';
import { settleUpgrade } from './model/merchant.ts';
import { isIssued } from './model/methods.ts';
import { isUnsettled, type ModelCard, type ModelSubscription } from './model/state.ts';
import { repeating } from './repeating.ts';
import { awaitLateNotifications } from './sent-notifications.ts';
import type { Recipient, Simulated } from './simulated.ts';
import type { Theme } from './themes.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * The next leap year, so that a seed makes the same history for four years. A clock moves forward only, and at most 5
 * years at a time.
 */
const BEGIN = Date.UTC(4 * Math.floor(new Date().getUTCFullYear() / 4) + 4, 0, 1);

/** One merchant with its subscriptions: the real ones, and the model of each. Times are the merchant's, in ms. */
export class World {
  readonly service: TestService;
  readonly shop: Shop;
  readonly acquirer: FaultyAcquirer;
  readonly theme: Theme;
  /** Of the present action. */
  random: SeededRandom;
  readonly subscriptions: Simulated[] = [];
  readonly recipients: Recipient[] = [];
  /** By id. */
  readonly cards = new Map<string, ModelCard>();
  /** Of every offer. */
  #productId: string | undefined;
  hasWalletDomain = false;
  isApproved = true;
  #now = Date.now();

  private constructor(
    service: TestService,
    shop: Shop,
    acquirer: FaultyAcquirer,
    random: SeededRandom,
    theme: Theme,
  ) {
    this.service = service;
    this.shop = shop;
    this.acquirer = acquirer;
    this.random = random;
    this.theme = theme;
  }

  /** A new merchant at a random time of three years. */
  static async open(
    service: TestService,
    acquirer: FaultyAcquirer,
    random: SeededRandom,
    theme: Theme,
  ): Promise<World> {
    const shop = await Shop.open(repeating(service, acquirer));
    const world = new World(service, shop, acquirer, random, theme);
    await world.advance(BEGIN);
    await world.advance(BEGIN + random.integer(0, 3 * 365) * DAY_MS + random.integer(0, 23) * HOUR_MS);
    return world;
  }

  /** The time to which the merchant's clock was moved last. */
  get now(): number {
    return this.#now;
  }

  set now(at: number) {
    this.#now = at;
    for (const model of this.models) model.now = at;
  }

  get models(): readonly ModelSubscription[] {
    return this.subscriptions.map(({ model }) => model);
  }

  get merchant() {
    return this.shop.onboarded.merchant;
  }

  /** Of the merchant's rows. */
  get key(): { readonly slot: number; readonly account: string } {
    return { slot: this.merchant.slot, account: this.account };
  }

  get account(): string {
    return this.shop.account;
  }

  /** A request of the merchant, with a fault of its charges. Answers `DIED` if the process dies. */
  request(fault: Fault, method: string, path: string, body: object): Promise<TestAnswer> {
    if (fault === 'none') return this.shop.call(method, path, { body });
    const { apiKey } = this.shop.onboarded;
    return this.#withFault(fault, () => send(this.service.url, apiKey, method, path, { body }));
  }

  /** A new offer's id. */
  async offer(fields: object): Promise<string> {
    this.#productId ??= (await created(this.shop.post('/products', { name: 'Clube' }))).id;
    const body = recurringOffer({ trial_days: undefined, ...fields });
    return (await created(this.shop.post(`/products/${this.#productId}/offers`, body))).id;
  }

  /** Advances the clock: each step runs at its own time. If the process dies, another one continues. */
  async advance(to: number, fault: Fault = 'none'): Promise<void> {
    // An advance waits for the outcomes of its charges.
    const isKilled = this.#advanceModel(to, fault === 'lost_answer' ? 'none' : fault);
    const held = this.acquirer.unanswered.length;
    const move = { to: new Date(to).toISOString() };
    const { status, text } = await this.#whileWorkerDies(fault, () =>
      this.request(fault, 'POST', '/sandbox/clock/advance', move),
    );
    const hasDied = isKilled || this.acquirer.hasDied;
    assert.ok(status === (isKilled ? DIED : 200) || (hasDied && status === DIED), text);
    const unanswered = this.acquirer.unanswered.splice(held);
    if (status === DIED) await this.#resumeAdvance([...unanswered, ...this.acquirer.lostAnswers]);
    this.now = to;
  }

  /**
   * Sets the clock forward while no worker runs. Then two workers start at the same time. `first`: whether what the
   * bank has done meanwhile arrives before or after that.
   */
  async jump(to: number, fault: Fault, first: 'service' | 'bank'): Promise<void> {
    const { service } = this;
    const offset_ms = to - service.deps.wall().getTime();
    await service.rows(
      'update merchant_clocks set offset_ms = :offset_ms where slot = :slot and merchant_id = :account',
      { ...this.key, offset_ms },
    );
    this.now = to;
    const isFirst = this.models.some((model) => hasLateResult(model, to)) ? 'bank' : first;
    if (isFirst === 'bank') await this.#runBank(offset_ms);
    await this.work(fault, isFirst);
    if (isFirst === 'service') await this.#runBank(offset_ms);
    while ((await this.#runWorkers()) + (await this.settle()) > 0);
  }

  /** Two workers run everything that is due now. */
  async work(fault: Fault, first: 'service' | 'bank' = 'bank'): Promise<void> {
    const { wanted } = this.acquirer;
    for (const model of this.models) takeDueSteps(model, this, first, sendWith(fault));
    await runDuePaymentsUnlessAdvancing(this.service.deps, this.merchant);
    const mayDie = isKill(fault) || wanted !== 'none';
    // A run takes one step of each subscription. A later one can be its charge, which has the fault too.
    const runAll = async () => {
      while ((await this.#runWorkers().catch((error) => (mayDie ? 1 : Promise.reject(error)))) > 0);
    };
    await this.#whileWorkerDies(fault, () => this.#withFault(fault, runAll));
  }

  /** Runs what follows by itself: expired and withdrawn charges, and what payers' banks do. Returns how much. */
  async settle(): Promise<number> {
    const { deps } = this.service;
    // Charges without an answer wait for `reconcile`, even if the service asks for other outcomes before.
    await this.#checkOperations(new Date(Date.now() + DAY_MS), this.acquirer.unanswered);
    const canceled =
      (await runDuePaymentsUnlessAdvancing(deps, this.merchant)) +
      (await cancelDueMandatesUnlessAdvancing(deps, this.merchant));
    const { delivered } = await this.service.control.runDue(this.account, new Date(this.now + MINUTE_MS));
    const late = await awaitLateNotifications(this.service, this.account);
    const lost = this.acquirer.lostAnswers.splice(0);
    await this.#checkOperations(new Date(), lost);
    const found = lost.length === 0 ? 0 : await reconcileOperationsOf(deps, this.merchant);
    const done = canceled + delivered + late + found;
    return done === 0 ? 0 : done + (await this.settle());
  }

  /** The service asks the acquirer for the outcomes that it does not know. */
  async reconcile(): Promise<void> {
    for (const model of this.models) {
      if (model.pendingUpgrade !== null) settleUpgrade(model, model.pendingUpgrade);
      if (isUnsettled(model)) settle(model, this.now);
    }
    const { acquirer } = this;
    const reconcile = async () => {
      await this.#checkOperations(new Date(), acquirer.unanswered);
      return reconcileOperationsOf(this.service.deps, this.merchant);
    };
    if (acquirer.wanted === 'inquired')
      await acquirer.whileDying({ at: 'inquired', sparesCharges: true }, reconcile);
    while ((await reconcile()) > 0);
    acquirer.unanswered.length = 0;
  }

  /** A boleto or a Pix is not left without an outcome: its customer needs it. */
  async reconcileIssued(): Promise<void> {
    const isIssuing = (model: ModelSubscription) =>
      isUnsettled(model) && isIssued(model.open!.attempt!.method);
    if (this.models.some(isIssuing)) await this.reconcile();
  }

  async #runBank(offset_ms: number): Promise<void> {
    await this.service.control.setClock(this.account, offset_ms);
    await this.service.control.runDue(this.account, new Date(this.now));
  }

  /** Two workers: both from the beginning, or the second while the first waits for the acquirer. */
  async #runWorkers(): Promise<number> {
    const { acquirer } = this;
    const worker = () => runDueBillingUnlessAdvancing(this.service.deps, this.merchant);
    let done = 0;
    if (this.random.oneIn(2)) {
      acquirer.meanwhile = async () => {
        done += await worker();
      };
    }
    const both = acquirer.meanwhile === null ? [worker(), worker()] : [worker()];
    const results = await Promise.allSettled(both).finally(() => {
      acquirer.meanwhile = null;
    });
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return results.reduce((sum, result) => sum + (result as PromiseFulfilledResult<number>).value, done);
  }

  /** The process can die at a command that is no charge: the model knows when a charge has a fault. */
  async #whileWorkerDies<Result>(fault: Fault, action: () => Promise<Result>): Promise<Result> {
    const { acquirer } = this;
    const { wanted } = acquirer;
    const moment = wanted === 'unsent' ? wanted : 'answered';
    const at = fault === 'none' && wanted !== 'none' ? moment : 'none';
    acquirer.wanted = 'none';
    return acquirer.whileDying({ at, sparesCharges: true }, action);
  }

  async #withFault<Result>(fault: Fault, action: () => Promise<Result>): Promise<Result> {
    this.acquirer.begin(fault);
    // One after another, so that none of them leaves the charge of another one half done.
    let last = Promise.resolve();
    this.acquirer.overtake = (reference) => {
      last = last.then(async () => {
        await this.#checkOperations(new Date(), [reference]);
        await reconcileOperationsOf(this.service.deps, this.merchant);
      });
      return last;
    };
    try {
      return await action();
    } finally {
      this.acquirer.begin('none');
    }
  }

  /** Moves the models. A kill hits the first instant with charges, which are settled when the advance is resumed. */
  #advanceModel(to: number, fault: Fault): boolean {
    let isKilled = false;
    let send = sendWith(fault);
    for (;;) {
      const first = firstDue(this.models, this);
      if (!(first <= to)) return isKilled;
      this.now = Math.max(first, this.now);
      const hasCharged = takeNextSteps(this.models, this, send);
      if (!isKill(fault) || !hasCharged) continue;
      isKilled = true;
      send = sendWith('none');
    }
  }

  async #resumeAdvance(unanswered: readonly string[]): Promise<void> {
    const { key, service } = this;
    await this.#checkOperations(new Date(), unanswered);
    for (;;) {
      const [clock] = await service.rows<{ target: Date | null }>(
        `update merchant_clocks set leased_until = case when target is null then null else cast(:now as timestamptz) end
          where slot = :slot and merchant_id = :account returning target`,
        { ...key, now: new Date() },
      );
      if (clock!.target === null) return;
      await resumeAdvances(service.deps);
    }
  }

  async #checkOperations(at: Date, references: readonly string[]): Promise<void> {
    if (references.length === 0) return;
    await this.service.rows(
      `update payment_operations set check_at = :at
        where slot = :slot and merchant_id = :account and state = 'pending' and reference = any(:references)`,
      { at, ...this.key, references },
    );
  }
}
