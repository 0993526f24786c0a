/** The simulated acquirer in a process that can be killed. Its records are in DATABASE_URL. */
import { startSimulator } from '../../../gateway/simulator/start.ts';

const { DATABASE_URL, ACQUIRER_URL, ACQUIRER_SECRET, NOTIFICATION_URL } = process.env;
await startSimulator({
  databaseUrl: DATABASE_URL!,
  secret: ACQUIRER_SECRET!,
  notificationUrl: NOTIFICATION_URL!,
  port: Number(new URL(ACQUIRER_URL!).port),
});
