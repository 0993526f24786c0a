import type { SettlementLine } from '../domain/ledger/settlement.ts';
import { type HttpClientOptions, httpClient } from './http-client.ts';
import { MalformedFile, readSettlementFile } from './settlement-file.ts';
import { isObject } from './wire-values.ts';

/** The settlement files of the acquirer. */
export interface SettlementFiles {
  /** The lines of an account's file of one day (`YYYY-MM-DD`, São Paulo), or why they are not available. */
  read(account: string, day: string): Promise<SettlementFileAnswer>;
}

export type SettlementFileAnswer =
  | { readonly kind: 'file'; readonly lines: readonly SettlementLine[] }
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
      return typeof text === 'string' ? parsed(text) : { kind: 'unavailable', cause: 'malformed_answer' };
    },
    close: () => client.close(),
  };
}

function parsed(text: string): SettlementFileAnswer {
  try {
    return { kind: 'file', lines: readSettlementFile(text) };
  } catch (error) {
    if (error instanceof MalformedFile) return { kind: 'unavailable', cause: `malformed: ${error.message}` };
    throw error;
  }
}

/** Used if no acquirer is configured. */
export const noSettlementFiles: SettlementFiles = {
  read: async () => ({ kind: 'unavailable', cause: 'no_acquirer' }),
};
