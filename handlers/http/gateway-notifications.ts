import type { IncomingHttpHeaders } from 'node:http';
import express, { type RequestHandler, Router } from 'express';
import type { Deps } from '../../services/deps.ts';
import {
  type Applied,
  applyNotification,
  type ReceivedNotification,
} from '../../services/payments/apply-notification.ts';
import type { Admission } from './admission/admission.ts';
import type { Tenant } from './admission/tickets.ts';

/** Verifies the signature and reads the notification. Wall time in ms. */
export type ReadNotification = (
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
  wall_ms: number,
) => ReceivedNotification | 'unsigned' | 'malformed';

const MAX_NOTIFICATION_BYTES = '64kb';
const ACQUIRER: Tenant = 'acquirer';

/** Status of each result. The acquirer retries unless it is 2xx. A discrepancy is stored, so it needs no retry. */
const STATUS_OF: Readonly<Record<Applied, number>> = {
  applied: 204,
  known: 204,
  discrepancy: 204,
  early: 409,
  unknown: 404,
};

/**
 * Serves `POST /gateway/notifications` for the acquirer's reports. It is not part of the merchants' contract. A request
 * takes a ticket only after its signature is verified, so that others cannot use up the acquirer's quota.
 */
export function gatewayNotifications(
  deps: Deps,
  admission: Admission,
  read: ReadNotification,
): RequestHandler {
  const router = Router();
  router.post(
    '/gateway/notifications',
    // The signature covers the bytes as sent, so a compressed body cannot be valid.
    express.raw({ type: () => true, limit: MAX_NOTIFICATION_BYTES, inflate: false }),
    (request, response) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const notification = read(request.headers, body, deps.wall().getTime());
      if (typeof notification === 'string') {
        // The acquirer signed a report that this service cannot read. It has no effect until a person reads the log.
        if (notification === 'malformed') deps.log.error({}, 'a signed notification cannot be read');
        response.status(401).end();
        return;
      }
      admission.admit(request, response, ACQUIRER, async (ticket) => {
        await ticket.turn();
        response.status(await statusFor(deps, notification)).end();
      });
    },
  );
  return router;
}

async function statusFor(deps: Deps, notification: ReceivedNotification): Promise<number> {
  const { id: notification_id, type } = notification;
  try {
    const applied = await applyNotification(deps, notification);
    deps.log.info({ notification_id, type, applied }, 'notification');
    return STATUS_OF[applied];
  } catch (error) {
    deps.log.error({ notification_id, type, err: error }, 'notification failed');
    return 503;
  }
}
