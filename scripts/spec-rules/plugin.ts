/**
 * The house rules of the contract as lint rules for Redocly, enabled in `redocly.yaml`. Every rule has a planted
 * mistake in `test/contract/lint-spec.test.ts`.
 */
import * as answers from './answers.ts';
import { noBooleanSchema } from './boolean-schemas.ts';
import { eventSequences } from './event-sequences.ts';
import * as examples from './examples.ts';
import * as operations from './operations.ts';
import * as requests from './requests.ts';
import * as schemas from './schemas.ts';

export default () => ({
  id: 'house',
  rules: {
    oas3: {
      'operation-name': operations.operationName,
      webhook: operations.webhook,
      'event-sequences': eventSequences,
      'idempotency-key': operations.idempotencyKey,
      extensions: operations.extensions,
      list: operations.list,
      'parameter-name': operations.parameterName,
      'refusal-by-reference': answers.refusalByReference,
      'unauthorized-answer': answers.unauthorizedAnswer,
      'complete-answers': answers.completeAnswers,
      'swapped-answers': answers.swappedAnswers,
      'answer-headers': answers.answerHeaders,
      amount: schemas.amount,
      'number-format': schemas.numberFormat,
      named: schemas.named,
      'client-friendly': schemas.clientFriendly,
      described: schemas.described,
      'no-boolean-schema': noBooleanSchema,
      'closed-request': requests.closedRequest,
      'bounded-text': requests.boundedText,
      'pattern-message': requests.patternMessage,
      'media-type-example': examples.mediaTypeExample,
      'parameter-example': examples.parameterExample,
    },
  },
});
