import type { Tx } from '../../db/engine/database.ts';
import { findOperation, insertOperation } from '../../db/payments/payment-operations.ts';
import { lockPayment } from '../../db/payments/payments.ts';
import { operationReference } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { OperationKind } from '../../domain/payments/payment-operation.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { invalid, notInThisState, requireRow } from '../refusal.ts';
import { getPayment } from './get-payment.ts';
import { type ModifyOperation, modifyCommand } from './modify-command.ts';
import { firstCheckAt, resumeOperation, runOperation } from './run-operation.ts';

/** A capture or a cancellation as a merchant asks for it. `operationId` is the id of the intent. */
export interface PaymentCommand {
  readonly operationId: string;
  readonly isRerun: boolean;
  /** Id, hash, order code or Pix txid. */
  readonly paymentIdentifier: string;
}

/**
 * Captures a pre-authorized payment: `amount_centavos` at most what was authorized, null = all of it; once, as the
 * rest is released. Refusals: 404; 422 on `amount`, on `status`. A capture that the acquirer refuses is a 422 on
 * `status` too, and the payment stays pre-authorized.
 */
export async function capturePayment<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: PaymentCommand & { readonly amount_centavos: number | null },
  finish: Finish<Payment, Answer>,
): Promise<Answer> {
  return commandPayment(deps, merchant, input, finish, {
    kind: 'capture',
    amount: (payment) => {
      if (payment.status !== 'pre_authorized') {
        throw notInThisState('Only a pre-authorized payment can be captured.');
      }
      const amount_centavos = input.amount_centavos ?? payment.amount_centavos;
      if (amount_centavos > payment.amount_centavos) {
        throw invalid({
          amount_centavos: `Must be at most the authorized ${payment.amount_centavos} centavos.`,
        });
      }
      return amount_centavos;
    },
    refused: 'The acquirer refused the capture.',
  });
}

/**
 * Cancels a payment that is not captured yet: releases an authorization, withdraws a Pix that waits. Refusals: 404;
 * 422 on `status`, also when the acquirer refuses, and then the payment stays as it was.
 */
export async function cancelPayment<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: PaymentCommand,
  finish: Finish<Payment, Answer>,
): Promise<Answer> {
  return commandPayment(deps, merchant, input, finish, {
    kind: 'cancel',
    amount: (payment) => {
      if (payment.status !== 'pre_authorized' && payment.status !== 'waiting_payment') {
        throw notInThisState('Only a payment that is not captured yet can be canceled.');
      }
      return payment.amount_centavos;
    },
    refused: 'The acquirer refused the cancellation.',
  });
}

interface Command {
  readonly kind: Extract<OperationKind, 'capture' | 'cancel'>;
  /** Checks the locked payment and says how much the operation is about. */
  readonly amount: (payment: Payment) => number;
  readonly refused: string;
}

async function commandPayment<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: PaymentCommand,
  finish: Finish<Payment, Answer>,
  command: Command,
): Promise<Answer> {
  // What is refused by the acquirer is committed (the event, the settled operation) before the caller is told.
  const settled: Finish<Payment, Settled<Answer>> = async (tx, payment) => {
    const operation = requireRow(await findOperation(tx, merchant, input.operationId));
    return operation.state === 'refused'
      ? { refused: true }
      : { refused: false, answer: await finish(tx, payment) };
  };
  const resume = async () => {
    const earlier = input.isRerun ? await findOperation(deps.db, merchant, input.operationId) : undefined;
    return earlier && resumeOperation(deps, merchant, earlier, settled);
  };
  const outcome = (await resume()) ?? (await begin(deps, merchant, input, settled, command, resume));
  if (outcome.refused) throw notInThisState(command.refused);
  return outcome.answer;
}

type Settled<Answer> = { readonly refused: true } | { readonly refused: false; readonly answer: Answer };

async function begin<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: PaymentCommand,
  finish: Finish<Payment, Answer>,
  command: Command,
  resume: () => Promise<Answer | undefined>,
): Promise<Answer> {
  const { id } = await getPayment(deps, merchant, input.paymentIdentifier);
  let intent: Intent;
  try {
    intent = await deps.db.transaction(merchant, (tx) => intend(deps, tx, merchant, id, input, command));
  } catch (error) {
    // An earlier run that was only slow has written the intent meanwhile: then it is not another's.
    const own = await resume();
    if (own === undefined) throw error;
    return own;
  }
  const { payment, operation } = intent;
  return runOperation(deps, merchant, operation, modifyCommand(merchant, payment, operation), finish);
}

interface Intent {
  readonly payment: Payment;
  readonly operation: ModifyOperation;
}

/** Transaction A: the one open operation of the payment. */
async function intend(
  deps: Deps,
  tx: Tx,
  merchant: Merchant,
  id: string,
  input: PaymentCommand,
  command: Command,
): Promise<Intent> {
  const payment = requireRow(await lockPayment(tx, merchant, id));
  const amount_centavos = command.amount(payment);
  const operation = await insertOperation(tx, merchant, {
    id: input.operationId,
    paymentId: id,
    paymentAmount_centavos: payment.amount_centavos,
    refundId: null,
    kind: command.kind,
    amount_centavos,
    reference: operationReference(merchant.slot, deps.random),
    createdAt: now(deps, merchant),
    checkAt: firstCheckAt(deps),
  });
  if (operation === undefined) {
    throw notInThisState('A capture or cancellation of this payment is under way.');
  }
  return { payment, operation: { ...operation, kind: command.kind } };
}
