import type { IncomingMessage } from 'node:http';

/** A page that is ready to be sent. */
export interface ErrorPage {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The page in place of an error of the service; undefined for requests that get JSON. */
export type ErrorPageOf = (request: IncomingMessage) => ErrorPage | undefined;
