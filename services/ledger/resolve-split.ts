import type { Queryable, Tx } from '../../db/engine/database.ts';
import {
  findRecipientsNamed,
  lockRecipientsNamed,
  type RecipientNames,
  type SplitRecipient,
} from '../../db/recipients/recipients.ts';
import { isUuid, normalizeUuid } from '../../domain/identifiers.ts';
import { fitsAmount, repeatedRecipients, type SplitLine } from '../../domain/ledger/split.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { planNamed } from '../../domain/merchants/plans.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { Violations } from '../refusal.ts';

/** A line of a split as a merchant sends it. */
export interface SplitRequest extends Omit<SplitLine, 'recipientId'> {
  /** Number, UUID or hash. */
  readonly recipient: number | string;
}

/** A line whose recipient is known. */
export interface NamedSplitLine extends SplitRequest, SplitLine {}

/** Checks what needs no stored data: that the plan includes splits, and that the shares fit the amount. */
export function checkSplit(
  merchant: Merchant,
  violations: Violations,
  split: readonly SplitRequest[],
  amount_centavos: number,
): void {
  if (split.length === 0) return;
  if (!planNamed(merchant.plan).resources.has('recipients')) {
    violations.add('split', 'Your plan does not include splits.');
  }
  if (!fitsAmount(split.map(withoutRecipient), amount_centavos)) {
    violations.add('split', 'All shares together must be at most the amount.');
  }
}

/** Adds a violation for each line whose recipient is unknown, not approved or named before. */
export async function resolveSplit(
  q: Queryable,
  scope: MerchantScope,
  violations: Violations,
  split: readonly SplitRequest[],
): Promise<void> {
  if (split.length === 0) return;
  nameRecipients(violations, split, await findRecipientsNamed(q, scope, namesOf(split)));
}

/** The lines with their recipients, which are locked until the transaction ends. Refuses `split.<i>.recipient`. */
export async function lockSplit(
  tx: Tx,
  scope: MerchantScope,
  split: readonly SplitRequest[],
): Promise<NamedSplitLine[]> {
  if (split.length === 0) return [];
  const violations = new Violations();
  const lines = nameRecipients(violations, split, await lockRecipientsNamed(tx, scope, namesOf(split)));
  violations.throwIfAny();
  return lines;
}

function nameRecipients(
  violations: Violations,
  split: readonly SplitRequest[],
  recipients: readonly SplitRecipient[],
): NamedSplitLine[] {
  const found = split.map(({ recipient }) => recipients.find((each) => isNamed(each, recipient)));
  const lines = split.map((line, i) => ({ ...line, recipientId: found[i]?.id ?? `unknown ${i}` }));
  const repeated = repeatedRecipients(lines);
  for (const [i, recipient] of found.entries()) {
    const add = (sentence: string) => violations.add(`split.${i}.recipient`, sentence);
    if (recipient === undefined) add('You have no such recipient.');
    else if (recipient.status !== 'approved') add('The recipient is not approved.');
    if (repeated.includes(i)) add('An earlier line names the same recipient.');
  }
  return lines;
}

function isNamed({ id, hash, number }: SplitRecipient, name: number | string): boolean {
  return typeof name === 'number' ? name === number : name === hash || normalizeUuid(name) === id;
}

function namesOf(split: readonly SplitRequest[]): RecipientNames {
  const names = split.map(({ recipient }) => recipient);
  const texts = names.filter((name) => typeof name === 'string');
  return {
    ids: texts.filter(isUuid).map(normalizeUuid),
    hashes: texts.filter((text) => !isUuid(text)),
    numbers: names.filter((name) => typeof name === 'number'),
  };
}

function withoutRecipient(line: SplitRequest): SplitLine {
  return { ...line, recipientId: '' };
}
