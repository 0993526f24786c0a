import { randomBytes, randomUUID } from 'node:crypto';
import { operationReference } from '../../../domain/identifiers.ts';
import type { Acquirer, AuthorizeCard } from '../../../gateway/acquirer.ts';
import { httpAcquirer } from '../../../gateway/http-acquirer.ts';
import { httpSandboxControl } from '../../../gateway/http-sandbox-control.ts';
import type { SandboxControl, SimulatedOutcome } from '../../../gateway/sandbox-control.ts';
import { openPool } from '../../../gateway/simulator/database.ts';
import { migrateSimulator } from '../../../gateway/simulator/migrate.ts';
import { startSimulator } from '../../../gateway/simulator/start.ts';
import { testDatabase } from '../../support/database.ts';
import { type Sink, startSink } from './sink.ts';

/** The time at which tests ask: far in the future, so that nothing falls due before a test says so. */
export const NOON = new Date('2046-03-10T15:00:00.000Z');
export const APPROVED_CARD = '4242424242424242';
export const SECRET = randomBytes(32).toString('hex');

export function reference(): string {
  return operationReference(7, randomBytes);
}

export function later(ms: number, than: Date = NOON): Date {
  return new Date(than.getTime() + ms);
}

/** A simulator with its own database, a receiver of its notifications, and clients of both ports. */
export async function startAcquirer(timeout_ms = 10_000) {
  const database = await testDatabase();
  await migrateSimulator(database.url);
  const sink = await startSink(SECRET);
  const simulator = await startSimulator({
    databaseUrl: database.url,
    secret: SECRET,
    notificationUrl: sink.url,
  });
  const acquirer = httpAcquirer({ url: simulator.url, secret: SECRET, timeout_ms });
  const control = httpSandboxControl({ url: simulator.url, secret: SECRET });
  const books = openPool({ connectionString: database.url, max: 2 });
  return {
    database,
    sink,
    simulator,
    acquirer,
    control,
    books,
    async stop() {
      await Promise.all([acquirer.close(), control.close(), books.end()]);
      await simulator.stop();
      await sink.close();
      await database.drop();
    },
  };
}

export type RunningAcquirer = Awaited<ReturnType<typeof startAcquirer>>;

/**
 * A new merchant with one customer and one card, who asks the acquirer for the usual things in few words. Each test
 * takes its own, so that none sees another's rows.
 */
export class Customer {
  readonly account = randomUUID();
  readonly customerId = randomUUID();
  readonly cardId = randomUUID();
  readonly acquirer: Acquirer;
  readonly control: SandboxControl;
  readonly sink: Sink;
  /** Pix charges by reference; whatever is not among them was paid by card. */
  readonly charges = new Map<string, number>();

  constructor({ acquirer, control, sink }: Pick<RunningAcquirer, 'acquirer' | 'control' | 'sink'>) {
    this.acquirer = acquirer;
    this.control = control;
    this.sink = sink;
  }

  authorization(number = APPROVED_CARD, changes: Partial<AuthorizeCard> = {}): AuthorizeCard {
    return {
      kind: 'authorize',
      method: 'credit_card',
      reference: reference(),
      account: this.account,
      requestedAt: NOON,
      amount_centavos: 10_000,
      capture: false,
      installments: 1,
      mcc: '5734',
      statementDescriptor: null,
      processingModel: null,
      customer: { customerId: this.customerId, name: 'Maria Silva', document: null },
      card: {
        number,
        holder: 'MARIA SILVA',
        expMonth: '12',
        expYear: '2052',
        securityCode: '123',
        cardId: this.cardId,
      },
      ...changes,
    };
  }

  /** Authorizes and answers the reference; with `capture`, paid at once. */
  async authorized(number = APPROVED_CARD, capture = false): Promise<string> {
    const asked = this.authorization(number, { capture });
    await this.acquirer.perform(asked);
    return asked.reference;
  }

  capture(paymentReference: string, amount_centavos = 10_000, ref = reference()) {
    const method = 'credit_card';
    return this.acquirer.perform({
      ...this.asked(ref),
      kind: 'capture',
      method,
      paymentReference,
      amount_centavos,
    });
  }

  cancel(paymentReference: string, ref = reference()) {
    const method = this.methodOf(paymentReference);
    const amount_centavos = this.charges.get(paymentReference) ?? 10_000;
    return this.acquirer.perform({
      ...this.asked(ref),
      kind: 'cancel',
      method,
      paymentReference,
      amount_centavos,
    });
  }

  refund(paymentReference: string, amount_centavos = 10_000, ref = reference()) {
    const method = this.methodOf(paymentReference);
    return this.acquirer.perform({
      ...this.asked(ref),
      kind: 'refund',
      method,
      paymentReference,
      amount_centavos,
    });
  }

  pix(amount_centavos = 5_000, ref = reference(), document: string | null = null) {
    this.charges.set(ref, amount_centavos);
    return this.acquirer.perform({
      ...this.asked(ref),
      kind: 'pix_charge',
      method: 'pix',
      txid: ref,
      amount_centavos,
      expiresAt: later(3_600_000),
      customer: { customerId: this.customerId, name: 'Maria Silva', document },
    });
  }

  /** Registers a Pix charge and answers its reference. */
  async registered(amount_centavos = 5_000): Promise<string> {
    const ref = reference();
    await this.pix(amount_centavos, ref);
    return ref;
  }

  inquire(ref: string, seal = false) {
    return this.acquirer.inquire({ reference: ref, account: this.account, seal });
  }

  simulate(ref: string, outcome: SimulatedOutcome, reason: string | null = null, occurredAt = NOON) {
    return this.control.simulate({ account: this.account, reference: ref, outcome, reason, occurredAt });
  }

  script(operation: 'authorize' | 'capture' | 'cancel' | 'refund', outcomes: string[], by = 'customer') {
    return this.control.createScript({
      scriptId: randomUUID(),
      account: this.account,
      customerId: by === 'customer' ? this.customerId : null,
      cardId: by === 'card' ? this.cardId : null,
      outcomes: outcomes.map((outcome) => ({ operation, outcome })),
      createdAt: NOON,
    });
  }

  private methodOf(paymentReference: string) {
    return this.charges.has(paymentReference) ? 'pix' : 'credit_card';
  }

  private asked(ref: string) {
    return { reference: ref, account: this.account, requestedAt: NOON };
  }
}
