import type { WireNotification } from '../../../gateway/wire.ts';
import type { TestService } from '../../support/service.ts';

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
