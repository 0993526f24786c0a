import { type RequestHandler, Router } from 'express';

/** Serves `/healthz` (the process is up) and `/readyz` (it can do its work), on both listeners. */
export function healthRoutes(ready: () => Promise<void>): RequestHandler {
  const router = Router();
  // No key or ticket is needed, so concurrent requests share one check.
  let checking: Promise<void> | undefined;
  const check = () => {
    checking ??= ready().finally(() => {
      checking = undefined;
    });
    return checking;
  };
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    try {
      await check();
      response.json({ status: 'ready' });
    } catch {
      response.status(503).json({ status: 'not_ready' });
    }
  });
  return router;
}
