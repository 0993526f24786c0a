import type { Counted } from '../filled.ts';
import type { InstallmentTexts } from '../installment-words.ts';

type Texts<Names extends string> = Readonly<Record<Names, string>>;
export interface Notice {
  readonly title: string;
  readonly advice: string;
}

/** All texts of the checkout pages in one language. `{…}` is replaced. */
export interface Words {
  readonly lang: string;
  /** As the contract names it. */
  readonly language: 'pt' | 'en';
  readonly locale: string;
  readonly page: Texts<
    | 'payTo'
    | 'test'
    | 'testNote'
    | 'secure'
    | 'total'
    | 'interest'
    | 'contact'
    | 'payment'
    | 'address'
    | 'pay'
    | 'paying'
    | 'optional'
    | 'choose'
    | 'least'
    | 'amountToPay'
    | 'openPayment'
    | 'paidHere'
    | 'seePayment'
    | 'sentCard'
    | 'sentLost'
  >;
  readonly labels: Texts<
    | 'amount'
    | 'email'
    | 'name'
    | 'phone'
    | 'document'
    | 'postal_code'
    | 'street'
    | 'number'
    | 'complement'
    | 'neighborhood'
    | 'city'
    | 'state'
    | 'cardNumber'
    | 'cardHolder'
    | 'cardExpiry'
    | 'cardCode'
    | 'installments'
  >;
  readonly hints: Texts<'cardExpiry' | 'cardCode' | 'email' | 'phone'>;
  readonly methodNotes: Texts<'card' | 'cardNeedsScript'>;
  readonly installments: Omit<InstallmentTexts, 'locale'>;
  /** By field. */
  readonly problems: Texts<
    | 'amount'
    | 'email'
    | 'name'
    | 'phone'
    | 'document'
    | 'postal_code'
    | 'street'
    | 'number'
    | 'complement'
    | 'neighborhood'
    | 'city'
    | 'state'
    | 'installments'
    | 'payment_method'
    | 'card-number'
    | 'card-holder'
    | 'card-expiry'
    | 'card-code'
    | 'expired'
    | 'brand'
  >;
  /** Above the form. */
  readonly failures: Texts<
    | 'fields'
    | 'newFields'
    | 'priceChanged'
    | 'sendAgain'
    | 'sentBefore'
    | 'sentBeforeCard'
    | 'tooMany'
    | 'tooManyCards'
    | 'tooManyUnpaid'
    | 'unavailable'
    | 'network'
    | 'insecure'
    | 'subscribed'
  >;
  /** By the code of a refusal. */
  readonly refusals: Texts<
    | 'insufficient_funds'
    | 'do_not_honor'
    | 'limit_exceeded'
    | 'expired_card'
    | 'invalid_security_code'
    | 'processing_error'
    | 'other'
  >;
  /** In place of the texts above that name another way to pay, on pages where a card is the only one. */
  readonly onlyCards: {
    readonly cardNeedsScript: string;
    readonly failures: Texts<'tooManyCards' | 'insecure'>;
    readonly refusals: Texts<'insufficient_funds' | 'limit_exceeded' | 'other'>;
  };
  readonly status: Texts<
    | 'expiresIn'
    | 'expiresAt'
    | 'waiting'
    | 'copy'
    | 'copied'
    | 'copyFailed'
    | 'processingTitle'
    | 'processing'
    | 'paidTitle'
    | 'paid'
    | 'authorizedTitle'
    | 'authorized'
    | 'refusedTitle'
    | 'tryAgain'
    | 'expired'
    | 'otherWay'
    | 'otherWayNote'
    | 'canceledTitle'
    | 'canceled'
    | 'refundedTitle'
    | 'partlyRefundedTitle'
    | 'refunded'
    | 'refundedAmount'
    | 'amount'
    | 'method'
    | 'installments'
    | 'statement'
    | 'date'
    | 'reference'
  >;
  readonly deadEnds: Readonly<
    Record<
      | 'disabled'
      | 'expired'
      | 'exhausted'
      | 'taken'
      | 'archived'
      | 'unavailable'
      | 'unknown'
      | 'unknownPayment'
      | 'unknownSubscription'
      | 'tooMany'
      | 'down'
      | 'foreignForm'
      | 'unreadableForm',
      Notice
    >
  >;
  /** In place of a page that the service could not make. */
  readonly unavailable: Texts<'title' | 'read' | 'sent'>;
  readonly subscription: Texts<
    | 'subscribe'
    | 'startTrial'
    | 'today'
    | 'free'
    | 'from'
    | 'price'
    | 'monthDay'
    | 'lastDay'
    | 'consent'
    | 'consentLater'
    | 'cancel'
    | 'activeTitle'
    | 'active'
    | 'trialTitle'
    | 'trial'
    | 'pendingTitle'
    | 'pending'
    | 'overdueTitle'
    | 'overdue'
    | 'canceledTitle'
    | 'canceled'
    | 'canceledUnpaid'
    | 'endedTitle'
    | 'ended'
    | 'completedTitle'
    | 'completed'
    | 'again'
    | 'next'
    | 'latest'
    | 'access'
    | 'plan'
  > & { readonly total: Counted };
  readonly intervals: Readonly<Record<string, string>>;
  readonly trial: Counted;
}
