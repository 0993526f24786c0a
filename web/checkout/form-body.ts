// Also runs in the browser.
import { typedAmount } from './amounts.ts';
import { type NeedsByMethod, needsOf } from './methods/needs.ts';

/** The fields of the form, by name. The card has none: its inputs are never submitted. */
export const FIELDS = [
  'payment_method',
  'amount',
  'email',
  'name',
  'phone',
  'document',
  'postal_code',
  'street',
  'number',
  'complement',
  'neighborhood',
  'city',
  'state',
] as const;
export type Field = (typeof FIELDS)[number];
export type FormValues = Readonly<Partial<Record<Field, string>>>;

/** What the page asks for. */
export interface FormRules {
  /** The fixed price; null if the buyer types the amount. */
  readonly amount: number | null;
  readonly collect_phone: boolean;
  readonly require_address: boolean;
  /** Of the page: receipts are written in it. */
  readonly language: 'pt' | 'en';
  readonly needs: NeedsByMethod;
}

const LEAST_TYPED_CENTAVOS = 500;
const ADDRESS = ['postal_code', 'street', 'number', 'neighborhood', 'city', 'state'] as const;

/** The body of `POST /checkout/{hash}/payments` without a card. */
export function paymentBody(values: FormValues, rules: FormRules) {
  const amount = rules.amount ?? typedAmount(values.amount ?? '', rules.language);
  return { ...(amount !== null && { amount }), ...buyerBody(values, rules) };
}

/** The body of `POST /checkout/{hash}/subscriptions` without a card. `terms`: those that the page has shown. */
export function subscriptionBody(values: FormValues, rules: FormRules, terms: string) {
  return { terms, ...buyerBody(values, rules) };
}

function buyerBody(values: FormValues, rules: FormRules) {
  const [email, name, phone, document] = (['email', 'name', 'phone', 'document'] as const).map((field) =>
    typed(values[field]),
  ) as [string, string, string, string];
  return {
    payment_method: values.payment_method,
    language: rules.language,
    customer: {
      name,
      email,
      ...(rules.collect_phone && phone !== '' && { phone: phoneOf(phone) }),
      ...(needsOf(rules.needs, values.payment_method).document &&
        document !== '' && { documents: [documentOf(document)] }),
      ...(needsAddress(values, rules) &&
        (values.postal_code ?? '') !== '' && { addresses: [addressOf(values)] }),
    },
  };
}

/** The fields that are empty or that cannot be right. The service checks them again. */
export function wrongFields(values: FormValues, rules: FormRules): Field[] {
  const wrong: Field[] = [];
  const check = (field: Field, isRight: (text: string) => boolean) => {
    if (!isRight(typed(values[field]))) wrong.push(field);
  };
  check('payment_method', (text) => text !== '');
  if (rules.amount === null)
    check('amount', (text) => (typedAmount(text, rules.language) ?? 0) >= LEAST_TYPED_CENTAVOS);
  check('email', (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text));
  check('name', (text) => text !== '');
  if (rules.collect_phone) check('phone', (text) => NATIONAL_PHONE.test(nationalDigits(text)));
  if (needsOf(rules.needs, values.payment_method).document)
    check('document', (text) => /^(\d{11}|[\dA-Z]{12}\d{2})$/.test(compact(text)));
  if (needsAddress(values, rules)) {
    check('postal_code', (text) => /^\d{8}$/.test(compact(text)));
    for (const field of ADDRESS.slice(1)) check(field, (text) => text !== '');
  }
  return wrong;
}

const CARD_FIELDS: Readonly<Record<string, string>> = {
  number: 'card-number',
  holder: 'card-holder',
  expMonth: 'card-expiry',
  expYear: 'card-expiry',
  securityCode: 'card-code',
};
const ADDRESS_FIELDS: Readonly<Record<string, Field>> = { line_1: 'street', line_2: 'complement' };

/** The field for the path of an error, such as `customer.addresses.0.line_1`; a card's has an id and no name. */
export function fieldOfPath(path: string): string {
  const [first = '', second = '', , last = ''] = path.split('.');
  if (first === 'encrypted') return CARD_FIELDS[second] ?? 'card-number';
  if (first !== 'customer' || second === '') return first;
  if (second === 'addresses') return ADDRESS_FIELDS[last] ?? (last === '' ? 'postal_code' : last);
  return second === 'documents' ? 'document' : second;
}

/** A pasted text can have tabs or line breaks, which the service refuses. */
function typed(text = ''): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim();
}

function needsAddress({ payment_method }: FormValues, { require_address, needs }: FormRules): boolean {
  return require_address || needsOf(needs, payment_method).address;
}

function compact(text: string): string {
  return text.replaceAll(/[^\dA-Za-z]/g, '').toUpperCase();
}

/** Area codes have no 0. A mobile number has 9 digits and begins with 9. */
const NATIONAL_PHONE = /^[1-9]{2}(?:9\d{8}|[2-8]\d{7})$/;

/** Without the country code of Brazil, and without the 0 before an area code. Empty for a number of another country. */
function nationalDigits(phone: string): string {
  const digits = phone.replaceAll(/\D/g, '');
  const isInternational = /^\D*(?:\+|00)/.test(phone);
  const full = isInternational ? digits.replace(/^00/, '') : digits;
  const hasCountry = full.startsWith('55') && (isInternational || full.length > 11);
  if (isInternational && !hasCountry) return '';
  return (hasCountry ? full.slice(2) : full).replace(/^0/, '');
}

function phoneOf(phone: string) {
  const digits = nationalDigits(phone);
  const number = digits.slice(2);
  return { type: number.length === 9 ? 'mobile' : 'residential', ddi: '55', ddd: digits.slice(0, 2), number };
}

function documentOf(document: string) {
  const value = compact(document);
  return { type: value.length > 11 ? 'cnpj' : 'cpf', value };
}

function addressOf(values: FormValues) {
  const complement = typed(values.complement);
  return {
    type: 'billing',
    postal_code: compact(values.postal_code ?? ''),
    line_1: typed(values.street),
    number: typed(values.number),
    ...(complement !== '' && { line_2: complement }),
    neighborhood: typed(values.neighborhood),
    city: typed(values.city),
    state: typed(values.state).toUpperCase(),
    country: 'BR',
  };
}
