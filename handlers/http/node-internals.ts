import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The response in progress on a server's socket, if there is one. Node stores it there for its own use, and mentions
 * the property in the documentation of the event `clientError`. test/handlers/http/library-internals.test.ts fails if a
 * version of Node does not have it.
 */
export function responseInProgress(socket: Socket): ServerResponse | undefined {
  return (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}
