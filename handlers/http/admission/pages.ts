import type { RequestHandler, Response } from 'express';
import type { Admission } from './admission.ts';
import type { Ticket } from './ticket.ts';
import { byAddress } from './tickets.ts';

/** Middleware that admits requests to pages and to unknown paths. `ticketOf` returns their ticket. */
export function admitPages(admission: Admission): RequestHandler {
  return (request, response, next) => {
    admission.admit(request, response, byAddress(request), async (ticket) => {
      response.locals.ticket = ticket;
      const isAnswered = answered(response, ticket);
      next();
      await isAnswered;
    });
  };
}

/** The ticket of a request that passed `admitPages`. */
export function ticketOf(response: Response): Ticket {
  return response.locals.ticket;
}

/** Middleware for pages that read the database or render something: they wait for their turn to run. */
export const waitForTurn: RequestHandler = async (_, response, next) => {
  await ticketOf(response).turn();
  next();
};

/**
 * Resolves when a handler has ended its answer. If the client disconnects, a handler that only sends a file ends no
 * answer, so that is the end. A request that has its turn ends its answer in any case, and its work goes on until then.
 */
function answered(response: Response, ticket: Ticket): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['end', 'destroy'] as const) {
      const send = response[name];
      response[name] = (...args: unknown[]) => {
        resolve();
        return Reflect.apply(send, response, args);
      };
    }
    response.once('close', () => {
      if (!ticket.hasTurn) resolve();
    });
  });
}
