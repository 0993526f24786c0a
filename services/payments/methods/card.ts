import { deleteSecurityCode } from '../../../db/cards/card-security-codes.ts';
import { findCard, lockUndeletedCard, markCardAuthorized } from '../../../db/cards/cards.ts';
import type { Tx } from '../../../db/engine/database.ts';
import type { Card } from '../../../domain/cards/card.ts';
import { hasNetworkToken } from '../../../domain/cards/card-number.ts';
import { normalizeUuid, operationReference } from '../../../domain/identifiers.ts';
import type { Merchant } from '../../../domain/merchants/merchant.ts';
import type { CardDetails } from '../../../domain/payments/methods/credit-card.ts';
import type { CardMethod } from '../../../domain/payments/methods/index.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import type { CreationCommand, CreationFields } from '../../../gateway/acquirer.ts';
import { moveNetworkToken } from '../../cards/move-network-token.ts';
import { type OpenCard, openCardForAuthorization } from '../../cards/open-card.ts';
import type { TransactionContext } from '../../deps.ts';
import { invalid } from '../../refusal.ts';
import { approvalMoves, descriptorOfInput, missingAuthorization } from './authorization.ts';
import { type Buyer, inputField, type PaymentMethodModule } from './method.ts';

/** How a card is charged. */
export interface CardTerms {
  /** Default: the merchant's name. */
  readonly statementDescriptor?: string;
  /** False: the amount is only reserved. Default: true. A debit card has no choice. */
  readonly capture?: boolean;
  /** How the card is used, for the acquirer. */
  readonly processingModel?: string;
}

/** The part of an order about its card. */
interface StoredCardInput extends CardTerms {
  readonly id: string;
}

const NO_SUCH_CARD = 'The customer has no such card.';

/** The module of a method that charges a stored card. */
export function card(method: CardMethod): PaymentMethodModule<CardMethod, StoredCardInput> {
  const idField = `payment.${inputField(method)}.id` as const;
  return {
    check() {},
    async prepare(deps, merchant, input) {
      const opened = await openCardForAuthorization(deps, merchant, input.id);
      if (opened === undefined) throw invalid({ [idField]: NO_SUCH_CARD });
      return {
        async lock(tx, resolving) {
          const locking = lockUndeletedCard(tx, merchant, opened.card.id);
          const [customer, isLive] = await Promise.all([resolving, locking]);
          if (!isLive || opened.card.customerId !== customer.id) throw invalid({ [idField]: NO_SUCH_CARD });
        },
        details: () => cardDetails(merchant, input, opened),
        async take(tx) {
          const card = await takeSecurityCode(tx, merchant, opened);
          return { command: (payment, common) => authorization(payment, common, card) };
        },
      };
    },
    async findViolations(deps, merchant, violations, input, buyer) {
      const card = await findCard(deps.db, merchant, normalizeUuid(input.id));
      if (!canBeUsedBy(buyer, card)) violations.add(idField, NO_SUCH_CARD);
    },
    contradiction: () => null,
    movesOnApproval: approvalMoves,
    async recordApproval(context, { details }, _approval, at) {
      const card = await markCardAuthorized(context.tx, context.merchant, details.cardId, at);
      if (card?.networkTokenStatus === 'none') await requestFirstToken(context, card, at);
    },
    missingDetails: missingAuthorization,
    transferDetails: () => ({}),
  };
}

/** The network token of a card that a buyer typed is not requested before its first payment is approved. */
async function requestFirstToken({ deps, tx, merchant }: TransactionContext, card: Card, at: Date) {
  if (!hasNetworkToken(card.brand)) return;
  await moveNetworkToken(tx, merchant, 'request', {
    cardId: card.id,
    by: 'acquirer',
    newReference: operationReference(merchant.slot, deps.random),
    dueAt: deps.wall(),
    at,
  });
}

/** If the order names a customer that does not exist, the refusal names the customer and not the card. */
function canBeUsedBy(buyer: Buyer, card: Card | undefined): boolean {
  if (card === undefined || buyer.kind === 'new') return false;
  return buyer.kind === 'missing' || buyer.customerId === card.customerId;
}

export function cardDetails(merchant: Merchant, input: CardTerms, { card }: OpenCard): CardDetails {
  return {
    cardId: card.id,
    brand: card.brand,
    first6: card.first6,
    last4: card.last4,
    statementDescriptor: descriptorOfInput(merchant, input),
    ...(input.processingModel !== undefined && { processingModel: input.processingModel }),
    manualCapture: !(input.capture ?? true),
    authorizationCode: null,
  };
}

/**
 * Deletes the security code from the database, because it can be used once. Returns the card without the code if
 * another authorization has used it.
 */
async function takeSecurityCode(tx: Tx, merchant: Merchant, opened: OpenCard): Promise<OpenCard> {
  if (opened.securityCode === null) return opened;
  const isFirst = await deleteSecurityCode(tx, merchant, opened.card.id);
  return isFirst ? opened : { ...opened, securityCode: null };
}

export function authorization(
  payment: Payment<CardMethod>,
  common: CreationFields,
  opened: OpenCard,
): CreationCommand {
  const { manualCapture, statementDescriptor, processingModel = null } = payment.details;
  const authorize = {
    ...common,
    kind: 'authorize' as const,
    capture: !manualCapture,
    installments: payment.installments,
    mcc: payment.mcc,
    statementDescriptor,
    processingModel,
  };
  const { id: cardId, holder, expMonth, expYear } = opened.card;
  const { number, securityCode, networkToken } = opened;
  if (networkToken !== null) return { ...authorize, cardId, networkToken };
  return { ...authorize, card: { number, holder, expMonth, expYear, securityCode, cardId } };
}
