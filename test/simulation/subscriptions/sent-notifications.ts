import type { WireNotification } from '../../../gateway/wire.ts';
import type { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** Makes the simulated acquirer of a service keep all notifications that it sends. */
export async function keepSentNotifications(service: TestService): Promise<void> {
  await service.rows('create table simulator.sent (position bigserial primary key, account text, body text)');
  await service.rows(`create function simulator.keep_sent() returns trigger language plpgsql as $$
    begin insert into simulator.sent (account, body) values (new.account, cast(new.body as text)); return new; end $$`);
  await service.rows(`create trigger keep_sent before insert on simulator.notifications
    for each row execute function simulator.keep_sent()`);
}

/** What was sent about an account, oldest first. */
export async function sentNotifications(service: TestService, account: string): Promise<WireNotification[]> {
  const rows = await service.rows<{ body: string }>(
    'select body from simulator.sent where account = :account order by position',
    { account },
  );
  return rows.map(({ body }) => JSON.parse(body));
}

/**
 * On a slow machine, the delivery of notifications can take longer than an advance waits. Returns how many were still
 * to be delivered.
 */
export async function awaitLateNotifications(service: TestService, account: string): Promise<number> {
  let late = 0;
  await until('the service has accepted all notifications', async () => {
    const statement = 'select 1 from simulator.notifications where account = :account';
    const waiting = await service.rows(statement, { account });
    late = Math.max(late, waiting.length);
    return waiting.length === 0;
  });
  return late;
}
