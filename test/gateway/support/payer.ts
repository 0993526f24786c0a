import { randomUUID } from 'node:crypto';
import { addDays } from '../../../domain/business-days.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/durations.ts';
import { merchantDay, startOfMerchantDay } from '../../../domain/local-time.ts';
import type { ChargeMandate, MandateFields, RequestMandate } from '../../../gateway/acquirer.ts';
import { Customer, later, NOON, reference } from './acquirer.ts';

export const TODAY = merchantDay(NOON);
/** A charge that is sent today is due in two days. */
export const DUE = addDays(TODAY, 2);
export const DUE_6H = new Date(startOfMerchantDay(DUE).getTime() + 6 * HOUR_MS);

/** A customer who pays by Pix Automático. */
export class Payer extends Customer {
  request(changes: Partial<RequestMandate> = {}, terms: Partial<MandateFields> = {}): RequestMandate {
    const ref = reference();
    return {
      kind: 'mandate',
      method: 'pix_recurring',
      reference: ref,
      account: this.account,
      requestedAt: NOON,
      amount_centavos: 0,
      txid: changes.amount_centavos === undefined ? null : ref,
      expiresAt: later(30 * MINUTE_MS),
      customer: { customerId: this.customerId, name: 'Maria Silva', document: null },
      mandate: {
        interval: 'monthly',
        firstChargeOn: DUE,
        recurringAmount_centavos: null,
        minAmount_centavos: null,
        allowsRetries: true,
        statement: 'Streaming',
        ...terms,
      },
      ...changes,
    };
  }

  /** Asks for a mandate, and returns its reference. */
  async requested(
    changes: Partial<RequestMandate> = {},
    terms: Partial<MandateFields> = {},
  ): Promise<string> {
    const command = this.request(changes, terms);
    await this.acquirer.perform(command);
    return command.reference;
  }

  async authorizedMandate(...request: Parameters<Payer['requested']>): Promise<string> {
    const ref = await this.requested(...request);
    await this.authorize(ref);
    return ref;
  }

  authorize(ref: string, occurredAt = NOON) {
    return this.control.authorizeMandate({ account: this.account, reference: ref, occurredAt });
  }

  cancelByPayer(ref: string, reason: string | null = null, occurredAt = NOON) {
    return this.control.cancelMandate({ account: this.account, reference: ref, reason, occurredAt });
  }

  charge(mandateReference: string, changes: Partial<ChargeMandate> = {}) {
    const ref = changes.reference ?? reference();
    return this.acquirer.perform<ChargeMandate>({
      kind: 'mandate_charge',
      method: 'pix_recurring',
      reference: ref,
      account: this.account,
      requestedAt: NOON,
      amount_centavos: 4_990,
      customer: { customerId: this.customerId, name: 'Maria Silva', document: null },
      mandateReference,
      txid: ref,
      dueDate: DUE,
      ...changes,
    });
  }

  modify(kind: 'cancel' | 'cancel_mandate', paymentReference: string, amount_centavos: number, at = NOON) {
    const method = 'pix_recurring';
    return this.acquirer.perform({
      kind,
      method,
      paymentReference,
      amount_centavos,
      reference: reference(),
      account: this.account,
      requestedAt: at,
    });
  }

  scripted(operation: 'authorize' | 'cancel' | 'mandate', outcome: string) {
    return this.control.createScript({
      scriptId: randomUUID(),
      account: this.account,
      customerId: this.customerId,
      cardId: null,
      outcomes: [{ operation, outcome }],
      createdAt: NOON,
    });
  }

  runDue(until: Date) {
    return this.control.runDue(this.account, until);
  }

  /** Type, minutes since noon, and reason of each notification. */
  notified() {
    return this.sink
      .of(this.account)
      .map(({ type, occurredAt, refusal, mandate }) => [
        type,
        (occurredAt.getTime() - NOON.getTime()) / MINUTE_MS,
        refusal?.code ?? mandate?.cancellationCode ?? null,
      ]);
  }
}
