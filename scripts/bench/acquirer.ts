/**
 * The simulated acquirer in its own process, so that it costs neither side of the comparison any time. It stores its
 * notifications and does not send them. Environment: DATABASE_URL, ACQUIRER_SECRET, and optionally ANSWER_AFTER_MS, the
 * shortest time until an answer. Prints its address.
 */
import { migrateSimulator } from '../../gateway/simulator/migrate.ts';
import { startSimulator } from '../../gateway/simulator/start.ts';

const { DATABASE_URL, ACQUIRER_SECRET, ANSWER_AFTER_MS = '0' } = process.env as Record<string, string>;
await migrateSimulator(DATABASE_URL!);
const simulator = await startSimulator({
  databaseUrl: DATABASE_URL!,
  secret: ACQUIRER_SECRET!,
  answerAfter_ms: Number(ANSWER_AFTER_MS),
});
process.stdout.write(`${simulator.url}\n`);
process.on('SIGTERM', () => {
  simulator.stop().then(() => process.exit(0));
});
