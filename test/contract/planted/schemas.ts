import { mistake as M, type PlantedMistake } from './mistake.ts';

/** Mistakes of schemas, of requests above all. */
export const SCHEMAS: readonly PlantedMistake[] = [
  M('no-unused-components', 'an unused component', {
    file: 'openapi.yaml',
    text: 'components:\n',
    by: 'components:\n  schemas:\n    Idle:\n      type: string\n      description: Unused.\n',
  }),
  M('house/amount', 'an amount of 32 bits', {
    file: 'schemas/payments/Refund.yaml',
    text: 'int64',
    by: 'int32',
    message: /int64/,
  }),
  M('house/amount', 'an amount without its unit', {
    file: 'schemas/orders/OrderItem.yaml',
    text: ' in centavos',
    by: '',
    message: /centavos/,
  }),
  M('house/amount', 'a filter by an amount without its unit', {
    file: 'operations/payments/listPayments.yaml',
    text: 'or more, in centavos',
    by: 'or more',
    message: /amount_min/,
  }),
  M('house/number-format', 'a number of unknown size', {
    file: 'schemas/Pagination.yaml',
    text: / {4}format: int32\n/,
    by: '',
  }),
  M('house/named', 'an anonymous body', {
    file: 'operations/sandbox/getClock.yaml',
    text: '$ref: ../../schemas/sandbox/Clock.yaml',
    by: 'type: object',
    message: /body/,
  }),
  M('house/named', 'an anonymous enum', {
    file: 'schemas/account/MerchantCode.yaml',
    text: "pattern: '^[0-9]{4}$'",
    by: 'enum: [a, b]',
    message: /enum/,
  }),
  M('house/named', 'an anonymous object', {
    file: 'schemas/cards/NetworkToken.yaml',
    text: '$ref: ./NetworkTokenStatus.yaml',
    by: 'type: object\n    description: State.\n    properties: { at: { type: string, description: When. } }',
    message: /object/,
  }),
  M('house/client-friendly', 'a const without a type', {
    file: 'schemas/cards/PublicJwk.yaml',
    text: /type: string\n +(description: Type)/,
    by: '$1',
    message: /const/,
  }),
  M('house/client-friendly', 'inheritance', {
    file: 'schemas/sandbox/ResetResult.yaml',
    text: 'type: object\n',
    by: 'type: object\nallOf:\n  - $ref: ./DeletedCounts.yaml\n',
    message: /allOf/,
  }),
  M('house/client-friendly', 'a field that can only be null', {
    file: 'schemas/sandbox/Script.yaml',
    text: /type: integer\n +format: int32/,
    by: "type: 'null'",
    message: /null/,
  }),
  M('house/described', 'a schema without a description', {
    file: 'schemas/Currency.yaml',
    text: /description: .*\n/,
    by: '',
    message: /no description/,
  }),
  M('house/described', 'a field without a description', {
    file: 'schemas/account/MerchantCode.yaml',
    text: / {4}description: Name of the.*\n/,
    by: '',
    message: /"description" has no/,
  }),
  M('house/described', 'a field in camelCase', {
    file: 'schemas/sandbox/ClockAdvanceCounts.yaml',
    text: '  events:',
    by: '  eventCount:',
    message: /snake_case/,
  }),
  M('house/no-boolean-schema', 'a field that a condition forbids by false', {
    file: 'schemas/sandbox/ClockAdvance.yaml',
    text: /days:\n +not: \{\}/,
    by: 'days: false',
    where: 'schemas/sandbox/ClockAdvance.yaml#/then/properties/days',
    message: /write `\{not: \{\}\}`/,
  }),
  M('house/no-boolean-schema', 'items of any kind', {
    file: 'schemas/events/EventPage.yaml',
    text: /items:\n +\$ref: .*/,
    by: 'items: true',
    message: /write `\{\}`/,
  }),
  M('house/no-boolean-schema', 'a choice of anything', {
    file: 'schemas/sandbox/ClockAdvanceResult.yaml',
    text: "- type: 'null'",
    by: "- type: 'null'\n      - true",
    where: 'schemas/sandbox/ClockAdvanceResult.yaml#/properties/',
  }),
  M('house/no-boolean-schema', 'a body of any kind', {
    file: 'operations/customers/updateCustomer.yaml',
    text: /schema:\n +\$ref: .*CustomerUpdate.yaml/,
    by: 'schema: true',
  }),
  M('house/no-boolean-schema', 'a parameter of any kind', {
    file: 'parameters/Cursor.yaml',
    text: /schema:\n +type: string\n +(minLength: .*\n +)?(maxLength: .*)?/,
    by: 'schema: true\n',
  }),
  M('house/no-boolean-schema', 'a header of any kind', {
    file: 'headers/Idempotency-Replayed.yaml',
    text: /schema:\n +type: .*(\n +\w+: .*)*/,
    by: 'schema: true',
  }),
  M('house/closed-request', 'a request that swallows unknown fields', {
    file: 'schemas/payments/RefundCreate.yaml',
    text: /additionalProperties: false\n/,
    by: '',
  }),
  M('house/closed-request', 'a nested object that swallows unknown fields', {
    file: 'schemas/recipients/ManagingPartner.yaml',
    text: 'additionalProperties: false',
    by: 'additionalProperties: true',
  }),
  M('house/bounded-text', 'a text without end', {
    file: 'schemas/orders/OrderCustomer.yaml',
    text: '    maxLength: 191\n',
    by: '',
  }),
  M('house/pattern-message', 'a pattern without an explanation', {
    file: 'schemas/orders/OrderCreate.yaml',
    text: / {4}x-pattern-message: .*\n/,
    by: '',
  }),
];
