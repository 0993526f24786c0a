import type { IncomingHttpHeaders } from 'node:http';
import express, { type RequestHandler, Router } from 'express';
import type { Deps } from '../../services/deps.ts';
import {
  type Applied,
  applyNotification,
  type ReceivedNotification,
} from '../../services/payments/apply-notification.ts';

/** Verifies the signature and reads the notification. Wall time in ms. */
export type ReadNotification = (
  headers: IncomingHttpHeaders,
  rawBody: Buffer,
  wall_ms: number,
) => ReceivedNotification | 'unsigned' | 'malformed';

const MAX_NOTIFICATION_BYTES = '64kb';

/** How each is answered. Anything but a 2xx makes the acquirer send again; a discrepancy is kept, so once is enough. */
const STATUS_OF: Readonly<Record<Applied, number>> = {
  applied: 204,
  known: 204,
  discrepancy: 204,
  early: 409,
  unknown: 404,
};

/** The acquirer's way in: `POST /gateway/notifications`, signed over the exact bytes. Not part of the merchants' contract. */
export function gatewayNotifications(deps: Deps, read: ReadNotification): RequestHandler {
  const router = Router();
  router.post(
    '/gateway/notifications',
    // As it came: the signature is over these bytes, so one that is compressed is none of ours.
    express.raw({ type: () => true, limit: MAX_NOTIFICATION_BYTES, inflate: false }),
    async (request, response) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const notification = read(request.headers, body, deps.wall().getTime());
      if (typeof notification === 'string') {
        // Whatever it says is lost: the acquirer means something that nobody reads.
        if (notification === 'malformed') deps.log.error({}, 'a signed notification cannot be read');
        response.status(401).end();
        return;
      }
      try {
        const applied = await applyNotification(deps, notification);
        deps.log.info({ notification_id: notification.id, type: notification.type, applied }, 'notification');
        response.status(STATUS_OF[applied]).end();
      } catch (error) {
        deps.log.error(
          { notification_id: notification.id, type: notification.type, err: error },
          'notification failed',
        );
        response.status(503).end();
      }
    },
  );
  return router;
}
