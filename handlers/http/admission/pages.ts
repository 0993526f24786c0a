import type { RequestHandler, Response } from 'express';
import type { Admission } from './admission.ts';
import type { Ticket } from './ticket.ts';
import { byAddress } from './tickets.ts';

/** Admits what Express serves: pages, and paths that do not exist. Put in front of them; `ticketOf` finds the ticket. */
export function admitPages(admission: Admission): RequestHandler {
  return (request, response, next) => {
    admission.admit(request, response, byAddress(request), async (ticket) => {
      response.locals.ticket = ticket;
      const isAnswered = answered(response);
      next();
      await isAnswered;
    });
  };
}

/** The ticket of a request that came through `admitPages`. */
export function ticketOf(response: Response): Ticket {
  return response.locals.ticket;
}

/** Resolves when a handler has given its answer, sent or not, or the client has left. */
function answered(response: Response): Promise<void> {
  return new Promise((resolve) => {
    const end = response.end;
    response.end = (...args: unknown[]) => {
      resolve();
      return end.apply(response, args as Parameters<typeof end>);
    };
    response.once('close', () => resolve());
  });
}
