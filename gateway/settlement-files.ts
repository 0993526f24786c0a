import { type HttpClientOptions, httpClient } from './http-client.ts';
import { isObject } from './wire.ts';

/** The settlement files of the acquirer. */
export interface SettlementFiles {
  /** The text of an account's file of one day (`YYYY-MM-DD`, São Paulo), or why it cannot be had. */
  read(account: string, day: string): Promise<SettlementFileAnswer>;
}

export type SettlementFileAnswer =
  | { readonly kind: 'file'; readonly text: string }
  | { readonly kind: 'unavailable'; readonly cause: string };

/** A file of a million lines has about 80 MB. */
const MAX_FILE_BYTES = 128 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

/** The acquirer's files over HTTP. */
export function httpSettlementFiles(
  options: HttpClientOptions,
): SettlementFiles & { close(): Promise<void> } {
  const client = httpClient({ timeout_ms: TIMEOUT_MS, maxAnswer_bytes: MAX_FILE_BYTES, ...options });
  return {
    async read(account, day) {
      const answer = await client.post('/v1/settlement-files', { account, day }, true);
      if (answer.kind === 'failed') return { kind: 'unavailable', cause: answer.cause };
      if (answer.status !== 200) return { kind: 'unavailable', cause: `status_${answer.status}` };
      const text = isObject(answer.body) ? answer.body.file : undefined;
      return typeof text === 'string'
        ? { kind: 'file', text }
        : { kind: 'unavailable', cause: 'malformed_answer' };
    },
    close: () => client.close(),
  };
}

/** Used if no acquirer is configured. */
export const noSettlementFiles: SettlementFiles = {
  read: async () => ({ kind: 'unavailable', cause: 'no_acquirer' }),
};
