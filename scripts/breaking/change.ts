/**
 * The kinds of a breaking change, with what each means. A *request* is what a caller sends: it breaks when something
 * that was accepted is accepted no more. An *answer* is what the service sends, webhooks included: it breaks when
 * something that a caller may rely on is gone, or may look in a way it never did.
 *
 * Not breaking: a new operation, refusal (4xx, 5xx), header, field, optional parameter or enum value; a bound that a
 * request is relieved of, or that an answer takes upon itself; texts and examples. Names of schemas are not compared:
 * they are not on the wire.
 */
export const KINDS = {
  'operation-removed': 'an operation is gone, or has another method or path',
  'operation-renamed': 'an operation has another operationId, by which clients call it',
  'tag-changed': 'an operation has another first tag, which names its class in generated clients',
  'webhook-removed': 'an event is sent no more',
  'server-removed': 'the API is at an address no more',
  'security-changed': 'a key is asked for that was not, is sent in another way, or needs another permission',
  'parameter-removed': 'a parameter is gone, or has another name or place',
  'parameter-changed': 'a parameter is written in another way',
  'parameter-required': 'a parameter is new and required, or has become required',
  'body-required': 'a request needs a body that it could do without',
  'body-removed': 'a request takes a body no more, or an event brings none',
  'media-type-removed': 'a body or answer comes in this media type no more',
  'answer-removed': 'a status is answered no more',
  'answer-added': 'a call may be answered by another success or redirection, a new 2xx or 3xx',
  'answer-header-removed': 'an answer or event carries a header no more, or not always',
  'field-removed':
    'a field is gone from a request or an answer, or has another name; readOnly takes it from requests',
  'field-required': 'a field of a request is new and required, or has become required',
  'field-optional': 'a field of an answer, or the body of an event, may be missing now',
  'enum-value-removed': 'a value is gone from an enum of a request or an answer',
  'type-changed': 'a request takes a type no more, or an answer has a new one; null is a type',
  'bound-tightened': 'a request must be shorter, longer, smaller, greater, or among fewer values',
  'bound-loosened': 'an answer may be longer, shorter, greater or smaller than it could be',
  'unknown-fields-refused': 'a request may hold listed fields only',
  'default-changed': 'what is left out of a request means something else',
  'rule-changed': 'a pattern, format, condition or union is another, which a program cannot weigh',
} as const;

export type Kind = keyof typeof KINDS;

/** Told apart by kind and place: what many operations share, a schema or a header, is told once. */
export interface Change {
  readonly kind: Kind;
  /** `createOrder 201`, `listPayments query status`, `header X-Request-Id`, `OrderCreate.payment`, `Order.items[].name` */
  readonly where: string;
  /** All that became of it: `maxLength 120 → 80; minLength 1 → 2`; of what is shared, in how many places it is. */
  readonly what: string;
}

export type Report = (kind: Kind, where: string, what: string) => void;
