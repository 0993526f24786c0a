import { findOperation } from '../../db/payments/payment-operations.ts';
import { lockPayment } from '../../db/payments/payments.ts';
import { fitsAmount } from '../../domain/ledger/split.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { isOver } from '../../domain/payments/authorization.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { mayMove } from '../../domain/payments/payment-moves.ts';
import { NOT_RECEIVED } from '../../domain/payments/payment-operation.ts';
import { type Deps, type Finish, now, type TransactionContext } from '../deps.ts';
import { invalid, notInThisState, type Refusal, requireRow } from '../refusal.ts';
import { beginOperation, type RequestedOperation } from './begin-operation.ts';
import { getPayment } from './get-payment.ts';
import { type BegunOperation, resumeOperation, runOperation } from './run-operation.ts';
import { runOrResume } from './run-or-resume.ts';

/** A capture or a cancellation as a merchant requests it. */
export interface CommandInput {
  /** The id of the operation that the request creates. */
  readonly operationId: string;
  readonly isRerun: boolean;
  /** Id, hash, order code or Pix txid. */
  readonly paymentIdentifier: string;
}

/**
 * Captures a pre-authorized payment, once. `amount_centavos` is at most the authorized amount (null: all of it); the
 * rest is released. Refusals: `not_found`, field `amount_centavos`, `wrong_state`. If the acquirer refuses the capture,
 * the refusal is `wrong_state` too, and the payment stays pre-authorized.
 */
export async function capturePayment<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: CommandInput & { readonly amount_centavos: number | null },
  finish: Finish<Payment, Answer>,
): Promise<Answer> {
  const command: Command = {
    ...input,
    kind: 'capture',
    prepare: (payment, at) => {
      if (payment.status !== 'pre_authorized') {
        throw notInThisState('Only a pre-authorized payment can be captured.');
      }
      if (isOver(payment, at)) {
        throw notInThisState('The authorization has expired. Only its first 7 days allow a capture.');
      }
      const amount_centavos = input.amount_centavos ?? payment.amount_centavos;
      if (amount_centavos > payment.amount_centavos) {
        throw invalid({
          amount_centavos: `Must be at most the authorized ${payment.amount_centavos} centavos.`,
        });
      }
      if (!fitsAmount(payment.split, amount_centavos)) {
        throw invalid({
          amount_centavos: 'Must be at least the fixed shares of the split and its percentages.',
        });
      }
      return { amount_centavos, move: 'request_capture' };
    },
    noun: 'capture',
  };
  return runCommand(deps, merchant, command, finish);
}

const SCHEDULED =
  'A scheduled payment cannot be canceled: cancel its subscription, or change how the subscription is paid.';

/**
 * Cancels a payment that is not captured yet: voids an authorization, or cancels a charge that the buyer has not paid.
 * Refusals: `not_found`, `wrong_state`. If the acquirer refuses, the refusal is `wrong_state` too, and the payment does
 * not change.
 */
export async function cancelPayment<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: CommandInput,
  finish: Finish<Payment, Answer>,
): Promise<Answer> {
  const command: Command = {
    ...input,
    kind: 'cancel',
    prepare: (payment) => {
      const { status, amount_centavos } = payment;
      if (status === 'pre_authorized') return { amount_centavos, move: 'request_void' };
      if (status === 'waiting_payment') return { amount_centavos, move: 'request_cancel' };
      if (status === 'scheduled') throw notInThisState(SCHEDULED);
      throw notInThisState('Only a payment that is pre-authorized or waits to be paid can be canceled.');
    },
    noun: 'cancellation',
  };
  return runCommand(deps, merchant, command, finish);
}

interface Command extends CommandInput, Pick<RequestedOperation, 'kind'> {
  /** Checks the locked payment at the merchant's time. Returns the operation's amount and the move that requests it. */
  readonly prepare: (payment: Payment, at: Date) => Pick<RequestedOperation, 'amount_centavos' | 'move'>;
  /** What it is called in the sentence that refuses the request. */
  readonly noun: string;
}

async function runCommand<Answer>(
  deps: Deps,
  merchant: Merchant,
  command: Command,
  finish: Finish<Payment, Answer>,
): Promise<Answer> {
  // A refusal by the acquirer is committed (the event, the settled operation) before it is thrown.
  const settled: Finish<Payment, Settled<Answer>> = async (tx, payment) => {
    const operation = requireRow(await findOperation(tx, merchant, command.operationId));
    return operation.state === 'refused'
      ? { refused: true, isUnsent: operation.refusalCode === NOT_RECEIVED }
      : { refused: false, answer: await finish(tx, payment) };
  };
  const outcome = await runOrResume({
    isRerun: command.isRerun,
    resume: async () => {
      const earlier = await findOperation(deps.db, merchant, command.operationId);
      return earlier && { answer: await resumeOperation(deps, merchant, earlier, settled) };
    },
    begin: async () => {
      const { id } = await getPayment(deps, merchant, command.paymentIdentifier);
      return deps.db.transaction(merchant, (tx) => requestOperation({ deps, tx, merchant }, id, command));
    },
    send: (begun) => runOperation(deps, merchant, begun, settled),
  });
  if (outcome.refused) throw notDone(command.noun, outcome.isUnsent);
  return outcome.answer;
}

type Settled<Answer> =
  | { readonly refused: true; readonly isUnsent: boolean }
  | { readonly refused: false; readonly answer: Answer };

function notDone(noun: string, isUnsent: boolean): Refusal {
  return notInThisState(
    isUnsent
      ? `The ${noun} did not reach the acquirer, and was not carried out.`
      : `The acquirer refused the ${noun}.`,
  );
}

/** Transaction A. */
async function requestOperation(
  context: TransactionContext,
  paymentId: string,
  { operationId, kind, prepare }: Command,
): Promise<BegunOperation> {
  const { deps, tx, merchant } = context;
  const payment = requireRow(await lockPayment(tx, merchant, paymentId));
  const { amount_centavos, move } = prepare(payment, now(deps, merchant));
  if (!mayMove(payment, move)) throw alreadyPending();
  const request = { id: operationId, kind, amount_centavos, move, by: 'merchant' } as const;
  const begun = await beginOperation(context, payment, request);
  // An earlier run of this request has written an operation with this id, which is settled.
  if (begun === undefined) throw alreadyPending();
  return begun;
}

function alreadyPending(): Refusal {
  return notInThisState('A capture or cancellation of this payment is in progress.');
}
