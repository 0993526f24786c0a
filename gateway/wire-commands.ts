import type { Address } from '../domain/contact.ts';
import type {
  AcquirerCommand,
  AuthorizeCard,
  CommandOf,
  CreationFields,
  Outcome,
  OutcomeOf,
  PaymentModification,
} from './acquirer.ts';
import {
  readCredentialOutcome,
  readEvidenceOutcome,
  readOutcome,
  readTokenOutcome,
  readWalletTokenOutcome,
} from './wire.ts';

/** How one kind of command is sent over HTTP. */
interface WireCommand<C extends AcquirerCommand> {
  readonly path: string;
  /** The fields of the request, in addition to the reference, the account and the time. */
  fields(command: C): object;
  /** The outcome in the body of an answer. Null if the body is malformed. */
  read(answer: unknown): OutcomeOf<C> | null;
}

type Approved = Extract<Outcome, { kind: 'approved' }>;

const COMMANDS: { readonly [K in AcquirerCommand['kind']]: WireCommand<CommandOf<K>> } = {
  authorize: {
    path: '/v1/authorizations',
    fields: (command) => ({
      ...creationFields(command),
      capture: command.capture,
      installments: command.installments,
      mcc: command.mcc,
      statement_descriptor: command.statementDescriptor,
      processing_model: command.processingModel,
      ...meansOf(command),
    }),
    read: approvedWith(
      ({ authorizationCode, storedCredential }) =>
        authorizationCode && { authorizationCode, ...(storedCredential && { storedCredential }) },
    ),
  },
  pix_charge: {
    path: '/v1/pix-charges',
    fields: ({ txid, expiresAt, ...payment }) => ({
      ...creationFields(payment),
      txid,
      expires_at: expiresAt,
    }),
    read: approvedWith(
      ({ location, receiverName, receiverCity }) =>
        location && receiverName && receiverCity && { location, receiverName, receiverCity },
    ),
  },
  bank_slip_charge: {
    path: '/v1/bank-slips',
    fields: ({ dueDate, payer, ...payment }) => ({
      ...creationFields(payment),
      due_date: dueDate,
      payer: { name: payer.name, document: payer.document, address: wireAddress(payer.address) },
    }),
    read: approvedWith(({ barcode }) => barcode && { barcode }),
  },
  mandate: {
    path: '/v1/mandates',
    fields: ({ txid, expiresAt, mandate, ...payment }) => ({
      ...creationFields(payment),
      txid,
      expires_at: expiresAt,
      interval: mandate.interval,
      first_charge_on: mandate.firstChargeOn,
      recurring_amount_centavos: mandate.recurringAmount_centavos,
      min_amount_centavos: mandate.minAmount_centavos,
      retry_policy: mandate.allowsRetries,
      statement: mandate.statement,
    }),
    read: approvedWith(mandateApproval),
  },
  mandate_charge: {
    path: '/v1/mandate-charges',
    fields: ({ mandateReference, txid, dueDate, ...payment }) => ({
      ...creationFields(payment),
      mandate_reference: mandateReference,
      txid,
      due_date: dueDate,
    }),
    read: approvedWith(() => ({})),
  },
  capture: modification('/v1/captures'),
  cancel: modification('/v1/cancellations'),
  refund: modification('/v1/refunds'),
  cancel_mandate: modification('/v1/mandate-cancellations'),
  network_token: {
    path: '/v1/network-tokens',
    fields: ({ card }) => ({
      card: { id: card.cardId, number: card.number, exp_month: card.expMonth, exp_year: card.expYear },
    }),
    read: readTokenOutcome,
  },
  wallet_token: {
    path: '/v1/wallet-tokens',
    fields: ({ walletToken }) => ({ wallet_token: walletToken }),
    read: readWalletTokenOutcome,
  },
  wallet_credential: {
    path: '/v1/wallet-credentials',
    fields: ({ walletToken }) => ({ wallet_token: walletToken }),
    read: readCredentialOutcome,
  },
  dispute_evidence: {
    path: '/v1/dispute-evidence',
    fields: ({ paymentReference, disputeReference, text }) => ({
      payment_reference: paymentReference,
      dispute_id: disputeReference,
      text,
    }),
    read: readEvidenceOutcome,
  },
};

/** How a command is sent. */
export function wireCommand<C extends AcquirerCommand>({ kind }: C): WireCommand<C> {
  return COMMANDS[kind] as unknown as WireCommand<C>;
}

/** The body of a command's request. */
export function commandBody(command: AcquirerCommand): object {
  const { reference, account, requestedAt } = command;
  return { reference, account, requested_at: requestedAt, ...wireCommand(command).fields(command) };
}

/** A mandate without a first charge has no location of a charge. */
function mandateApproval(approved: Approved): object | undefined {
  const { location, recurrenceLocation, receiverName, receiverCity, amount_centavos } = approved;
  if (!recurrenceLocation || !receiverName || !receiverCity) return undefined;
  if (!location && amount_centavos > 0) return undefined;
  return { ...(location && { location }), recurrenceLocation, receiverName, receiverCity };
}

function modification(path: string): WireCommand<PaymentModification> {
  return {
    path,
    fields: ({ paymentReference, method, amount_centavos }) => ({
      payment_reference: paymentReference,
      method,
      amount_centavos,
    }),
    read: approvedWith(() => ({})),
  };
}

/** Reads an outcome whose approval contains `details`. Null for an approval that lacks them. */
function approvedWith(details: (approved: Approved) => object | undefined | '') {
  return (answer: unknown): Outcome | null => {
    const outcome = readOutcome(answer);
    if (outcome === null || outcome.kind === 'not_found') return null;
    if (outcome.kind !== 'approved') return outcome;
    const { kind, acquirerReference, operation, method, amount_centavos } = outcome;
    const brought = details(outcome);
    return brought ? { kind, acquirerReference, operation, method, amount_centavos, ...brought } : null;
  };
}

/** What an authorization charges. */
function meansOf(command: CommandOf<'authorize'>): object {
  if ('card' in command) return { card: wireCard(command) };
  if ('networkToken' in command) {
    return { card: { id: command.cardId, network_token: command.networkToken } };
  }
  if ('storedCredential' in command) return { stored_credential: command.storedCredential };
  return { wallet_token: command.walletToken, store_credential: command.storesCredential };
}

function wireCard({ card }: AuthorizeCard) {
  return {
    id: card.cardId,
    number: card.number,
    holder: card.holder,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    security_code: card.securityCode,
  };
}

function wireAddress({ line1, line2, number, neighborhood, city, state, postalCode, country }: Address) {
  const postal_code = postalCode;
  return { line_1: line1, number, line_2: line2 ?? null, neighborhood, city, state, postal_code, country };
}

function creationFields({ method, amount_centavos, customer }: CreationFields): object {
  const { customerId, name, document } = customer;
  return { method, amount_centavos, customer: { id: customerId, name, document } };
}
