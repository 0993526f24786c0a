import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The response that is under way on a socket of a server, if there is one. Node keeps it there for its own use; its
 * documentation of the event `clientError` names the property. test/handlers/http/library-internals.test.ts fails where
 * another version of Node does not.
 */
export function responseUnderWay(socket: Socket): ServerResponse | undefined {
  return (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}
