/**
 * The kinds of breaking changes and their meaning. A *request* is what a caller sends: it breaks when something that
 * was accepted is now refused. An *answer* is what the service sends, webhooks included: it breaks when something that
 * a caller relies on is missing, or has a new form.
 *
 * Not breaking: a new operation, refusal (4xx, 5xx), header, field, optional parameter or enum value; a removed bound
 * of a request, or a new bound of an answer; texts and examples. Names of schemas are not compared, as they are not on
 * the wire.
 */
export const KINDS = {
  'operation-removed': 'an operation was removed, or has another method or path',
  'operation-renamed': 'an operation has another operationId, by which clients call it',
  'tag-changed': 'an operation has another first tag, which names its class in generated clients',
  'webhook-removed': 'an event is no longer sent',
  'sequence-changed':
    'a sequence of events was removed, or one of its events is no longer certain, comes earlier, or has another status',
  'server-removed': 'the API is no longer at an address',
  'security-changed': 'a key is newly required, is sent in another way, or needs another permission',
  'parameter-removed': 'a parameter was removed, or has another name or place',
  'parameter-changed': 'a parameter is written in another way',
  'parameter-required': 'a parameter is new and required, or has become required',
  'body-required': 'a request body has become required',
  'body-removed': 'a request no longer takes a body, or an event no longer has one',
  'media-type-removed': 'a body is no longer available in a media type',
  'answer-removed': 'a status is no longer answered',
  'answer-added': 'an operation has a new success or redirection (2xx or 3xx)',
  'answer-header-removed': 'an answer or event no longer has a header, or not always',
  'field-removed':
    'a field was removed from a request or an answer, or has another name; readOnly removes it from requests',
  'field-required': 'a field of a request is new and required, or has become required',
  'field-optional': 'a field of an answer, or the body of an event, may now be missing',
  'enum-value-removed': 'a value was removed from an enum of a request or an answer',
  'type-changed': 'a request no longer takes a type, or an answer has a new one; null is a type',
  'bound-tightened':
    'a request must be shorter, longer, smaller or greater than before, or one of fewer values',
  'bound-loosened': 'an answer may be longer, shorter, greater or smaller than before',
  'unknown-fields-refused': 'a request may only have listed fields',
  'default-changed': 'a field or parameter that a request leaves out has another default',
  'rule-changed':
    'a pattern, format, condition or union has changed, and a program cannot tell whether it is compatible',
} as const;

export type Kind = keyof typeof KINDS;

/** Identified by kind and place. A change in a shared schema or header is one change. */
export interface Change {
  readonly kind: Kind;
  /**
   * `createOrder 201`, `listPayments query status`, `header X-Request-Id`, `OrderCreate.payment`, `Order.items[].name`
   */
  readonly where: string;
  /** All differences: `maxLength 120 → 80; minLength 1 → 2`. For a shared part, also in how many places it is used. */
  readonly what: string;
}

export type Report = (kind: Kind, where: string, what: string) => void;
