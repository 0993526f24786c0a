import { type StoredCard, storeCards } from './cards.ts';
import { createLink } from './links.ts';
import { type BenchMerchant, createMerchants, TestData } from './merchants.ts';
import type { Pace } from './pace.ts';
import { type BenchEnvironment, createEnvironment, type MeasuredProcess } from './processes.ts';
import { createRecipients } from './recipients.ts';

/** Everything that a measurement needs, running and filled. */
export interface BenchSetup {
  readonly environment: BenchEnvironment;
  readonly service: MeasuredProcess;
  readonly baseline: MeasuredProcess;
  readonly testData: TestData;
  /** The merchant whose rows grow, and others, for loads on several merchants. */
  readonly merchants: readonly BenchMerchant[];
  customerIds: readonly (readonly string[])[];
  cards: readonly (readonly StoredCard[])[];
  /** The hash of a payment link of each merchant. */
  links: readonly string[];
  /** Starts the service once more, beside or after the other. `script` defaults to main.ts. */
  startService(flags?: readonly string[], script?: string): Promise<MeasuredProcess>;
  startBaseline(): Promise<MeasuredProcess>;
  /** Starts a process that runs the background jobs. */
  startWorker(): Promise<MeasuredProcess>;
  /** Inserts rows until the first merchant has this many payments. */
  fillTo(payments: number): Promise<void>;
  tearDown(): Promise<void>;
}

/** Customers that requests name in turn. */
const NAMED_CUSTOMERS = 5_000;

/**
 * Creates the environment, in a folder of `.data`, and four merchants without rows, and starts the service and the
 * baseline.
 */
export async function setUpBench(
  pace: Pick<Pace, 'cards' | 'otherRows'>,
  folder = 'bench',
): Promise<BenchSetup> {
  const environment = await createEnvironment(folder);
  const acquirer = await environment.start('scripts/bench/acquirer.ts');
  const gateway = { ACQUIRER_URL: acquirer.url };
  const startService: BenchSetup['startService'] = (flags = [], script = 'main.ts') => {
    const env = { ...gateway, ROLE: 'api', PORT: '0', INTERNAL_PORT: '0', TRUSTED_PROXIES: '127.0.0.1' };
    return environment.start(script, { env, flags });
  };
  const startWorker = () => {
    const env = { ...gateway, ROLE: 'worker', INTERNAL_PORT: '0' };
    return environment.start('main.ts', { env });
  };
  const startBaseline = () => environment.start('scripts/bench/baseline/server.ts', { env: gateway });
  // The first start migrates, which must not be measured.
  await (await startService()).stop();
  const merchants = await createMerchants(environment, ['Livraria', 'Padaria', 'Oficina', 'Escola']);
  const testData = new TestData(environment.databaseUrl);
  let filled = 0;
  const setup: BenchSetup = {
    environment,
    service: await startService(),
    baseline: await startBaseline(),
    testData,
    merchants,
    customerIds: [],
    cards: [],
    links: [],
    startService,
    startBaseline,
    startWorker,
    async fillTo(payments) {
      if (filled === 0)
        for (const merchant of merchants.slice(1)) await testData.fill(merchant, 0, pace.otherRows);
      await testData.fill(merchants[0]!, filled, payments);
      filled = payments;
      setup.customerIds = await Promise.all(
        merchants.map((merchant) => testData.customerIds(merchant, NAMED_CUSTOMERS)),
      );
      if (setup.cards.length > 0) return;
      for (const merchant of merchants) await createRecipients(setup.service, merchant);
      setup.links = await Promise.all(merchants.map((merchant) => createLink(setup.service, merchant)));
      setup.cards = await Promise.all(
        merchants.map((merchant, i) =>
          storeCards(setup.service, merchant, setup.customerIds[i]!.slice(0, pace.cards)),
        ),
      );
    },
    async tearDown() {
      await testData.close();
      await environment.stop();
    },
  };
  return setup;
}
