import type { Shop } from '../shop.ts';

/** Loses the notifications of the acquirer about a shop from now on, as if all attempts to send them had failed. */
export async function loseNotifications({ service, account }: Shop): Promise<void> {
  await service.rows(
    'create or replace function simulator.lose() returns trigger language plpgsql as $$ begin return null; end $$',
  );
  await service.rows(
    `create trigger "lose ${account}" before insert on simulator.notifications for each row
      when (new.account = '${account}') execute function simulator.lose()`,
  );
}

/** Notifications are sent again, but the lost ones are not. */
export async function stopLosing({ service, account }: Shop): Promise<void> {
  await service.rows(`drop trigger "lose ${account}" on simulator.notifications`);
}

/** The payer's bank never decides a charge that was sent. */
export async function leaveOpen(shop: Shop, paymentId: string): Promise<void> {
  const reference = await shop.reference(paymentId);
  await shop.service.rows('delete from simulator.scheduled_events where payment_reference = :reference', {
    reference,
  });
}
