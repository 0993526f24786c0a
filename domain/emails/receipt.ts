import { installmentAmounts } from '../installments.ts';
import type { Language } from '../language.ts';
import { receiptName } from '../payments/methods/index.ts';
import { firstPaidAt, type Payment } from '../payments/payment.ts';
import { isBlank, singleLine } from '../text.ts';
import type { ReceiptDetails } from './email.ts';

/** What a receipt is made of. */
export interface Receipt {
  readonly language: Language;
  readonly details: ReceiptDetails;
  readonly payment: Payment;
  readonly merchant: ReceiptMerchant;
}

export interface ReceiptMerchant {
  readonly name: string;
  readonly legalName: string;
  /** CPF or CNPJ; null if it is not known. */
  readonly document: string | null;
}

/** A receipt in words, in the order in which the buyer reads it. */
export interface ReceiptText {
  readonly subject: string;
  readonly heading: string;
  readonly greeting: string;
  readonly amount: string;
  /** Label and value. */
  readonly rows: readonly (readonly [label: string, value: string])[];
  readonly footer: readonly string[];
}

interface Words {
  readonly locale: string;
  readonly subject: (merchant: string) => string;
  readonly heading: string;
  /** `buyer` is empty if the name is blank. */
  readonly greeting: (buyer: string, merchant: string) => string;
  readonly item: string;
  readonly method: string;
  readonly installments: string;
  readonly paidAt: string;
  readonly order: string;
  readonly payment: string;
  readonly soldBy: (merchant: string) => string;
  readonly questions: (merchant: string) => string;
}

const WORDS: Readonly<Record<Language, Words>> = {
  pt: {
    locale: 'pt-BR',
    subject: (merchant) => `Recibo do seu pagamento a ${merchant}`,
    heading: 'Pagamento recebido',
    greeting: (buyer, merchant) =>
      `Olá${buyer && `, ${buyer}`}! ${merchant} recebeu o seu pagamento. Obrigado!`,
    item: 'Descrição',
    method: 'Forma de pagamento',
    installments: 'Parcelas',
    paidAt: 'Pago em',
    order: 'Pedido',
    payment: 'Pagamento',
    soldBy: (merchant) => `Vendido por ${merchant}.`,
    questions: (merchant) =>
      `Dúvidas sobre a compra? Fale com ${merchant} e informe o número do pedido. Esta mensagem é automática e não recebe respostas.`,
  },
  en: {
    locale: 'en-US',
    subject: (merchant) => `Your receipt from ${merchant}`,
    heading: 'Payment received',
    greeting: (buyer, merchant) =>
      `Hello${buyer && ` ${buyer}`}, ${merchant} has received your payment. Thank you!`,
    item: 'Description',
    method: 'Payment method',
    installments: 'Installments',
    paidAt: 'Paid on',
    order: 'Order',
    payment: 'Payment',
    soldBy: (merchant) => `Sold by ${merchant}.`,
    questions: (merchant) =>
      `Questions about your purchase? Contact ${merchant} and mention the order number. This is an automatic message, and replies are not read.`,
  },
};

/** The words of a receipt. The payment is captured. */
export function receiptText({ language, details, payment, merchant }: Receipt): ReceiptText {
  const words = WORDS[language];
  const name = singleLine(merchant.name);
  const amount = money(payment.captured_centavos, words.locale);
  return {
    subject: words.subject(name),
    heading: words.heading,
    greeting: words.greeting(isBlank(details.buyerName) ? '' : singleLine(details.buyerName), name),
    amount,
    rows: [
      [words.item, singleLine(details.title)],
      [words.method, receiptName(payment)[language]],
      ...installmentRow(payment, words),
      [words.paidAt, paidAt(payment, words.locale)],
      payment.orderCode === null ? [words.payment, payment.id] : [words.order, payment.orderCode],
    ],
    footer: [words.soldBy(singleLine(sellerOf(merchant))), words.questions(name)],
  };
}

/** `3 × R$ 16.63`, or `R$ 16.64 + 2 × R$ 16.63` if the amount cannot be divided exactly. */
function installmentRow(
  { installments, captured_centavos }: Payment,
  { installments: label, locale }: Words,
) {
  if (installments === 1) return [];
  const [first, second] = installmentAmounts(captured_centavos, installments).map((part) =>
    money(part, locale),
  );
  const value =
    first === second ? `${installments} × ${first}` : `${first} + ${installments - 1} × ${second}`;
  return [[label, value] as const];
}

function money(centavos: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency: 'BRL' }).format(centavos / 100);
}

function paidAt(payment: Payment, locale: string): string {
  const at = firstPaidAt(payment) ?? payment.updatedAt;
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: 'America/Sao_Paulo' } as const;
  return new Intl.DateTimeFormat(locale, options).format(at);
}

function sellerOf({ legalName, document }: ReceiptMerchant): string {
  if (document === null) return legalName;
  const isCnpj = document.length === 14;
  const formatted = isCnpj
    ? document.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5')
    : document.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4');
  return `${legalName}, ${isCnpj ? 'CNPJ' : 'CPF'} ${formatted}`;
}
