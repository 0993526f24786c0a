import type { IncomingMessage } from 'node:http';

/** A page that is ready to be sent. */
export interface ErrorPage {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The page in place of an answer with this status, 400 or above; undefined for requests that get JSON. */
export type ErrorPageOf = (request: IncomingMessage, status: number) => ErrorPage | undefined;
