import type { NewOperation } from '../../db/payments/payment-operations.ts';
import { uuidV7 } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { methodRules } from '../../domain/payments/methods/index.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { CreationCommand } from '../../gateway/acquirer.ts';
import type { PayingCustomer } from '../customers/resolve-customer.ts';
import type { Deps } from '../deps.ts';
import type { CommandMaker } from './methods/method.ts';
import { firstCheckAt } from './run-operation.ts';

/** The pending operation that creates a payment at the acquirer. */
export function firstOperation(deps: Deps, payment: Payment): NewOperation {
  return {
    id: uuidV7(payment.createdAt.getTime(), deps.random),
    paymentId: payment.id,
    paymentAmount_centavos: payment.amount_centavos,
    refundId: null,
    kind: methodRules(payment.method).firstOperation,
    amount_centavos: payment.amount_centavos,
    reference: payment.reference,
    createdAt: payment.createdAt,
    checkAt: firstCheckAt(deps),
  };
}

/** The command of that operation. */
export function creationCommand(
  merchant: Merchant,
  payment: Payment,
  { id: customerId, name, document }: Pick<PayingCustomer, 'id' | 'name' | 'document'>,
  maker: CommandMaker,
): CreationCommand {
  return maker.command(payment, {
    reference: payment.reference,
    account: merchant.merchantId,
    requestedAt: payment.createdAt,
    method: payment.method,
    amount_centavos: payment.amount_centavos,
    customer: { customerId, name, document: document?.value ?? null },
  });
}
