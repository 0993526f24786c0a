import assert from 'node:assert/strict';
import type { CallOptions, Json, TestAnswer, TestService } from '../service.ts';

/** Calls about customers or recipients with the API key `key()`. A text is sent unchanged. */
export function partyCalls(service: TestService, path: '/customers' | '/recipients', key: () => string) {
  const send = (method: string, to: string, body: object | string, options: CallOptions = {}) =>
    service.call(method, to, {
      key: key(),
      ...(typeof body === 'string' ? { rawBody: body } : { body }),
      ...options,
    });
  const create = (body: object | string, options?: CallOptions) => send('POST', path, body, options);
  return {
    create,
    /** The record of a new one. */
    created: async (body: object): Promise<Json> => {
      const answer = await create(body);
      assert.equal(answer.status, 201, answer.text);
      return answer.body;
    },
    update: (identifier: string, body: object | string) => send('PUT', `${path}/${identifier}`, body),
    /** The number that the merchant has, if it fits into a page. */
    countOf: async (): Promise<number> => (await service.call('GET', path, { key: key() })).body.data.length,
  };
}

/** The fields that a 422 names, sorted. Fails for another answer. */
export async function refusedFields(asked: Promise<TestAnswer>): Promise<string[]> {
  const { status, body, text } = await asked;
  assert.equal(status, 422, text);
  return Object.keys(body.errors).sort();
}
