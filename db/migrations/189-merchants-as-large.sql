-- The plan of a prepared statement serves every merchant. Postgres makes it for a merchant of average size, which among
-- many small merchants has one row or none, and reading all rows of the merchant then looks as cheap as reading one by
-- its key. These statistics make plans for a merchant as large as the rows of its slot:
-- n_distinct = 1: the merchant of a statement may be the largest one.
-- dependencies: the slot follows from the merchant, so its condition does not leave fewer rows.
-- Citus has no n_distinct for tables that are distributed. There, plans are for a merchant of average size.
do $$
declare
  name text;
  has_citus boolean := exists (select from pg_extension where extname = 'citus');
  has_rows boolean;
begin
  foreach name in array array[
    'acquirer_notifications', 'api_keys', 'card_security_codes', 'cards', 'checkout_tries', 'clock_advances',
    'clock_steps', 'customers', 'discrepancies', 'dispute_evidence', 'disputes', 'emails', 'event_outbox',
    'event_positions', 'events', 'idempotency_keys', 'ledger_balances', 'ledger_transfers', 'mandates', 'offers',
    'orders', 'payment_link_logos', 'payment_link_places', 'payment_links', 'payment_operation_results',
    'payment_operations', 'payments', 'plan_previews', 'products', 'rate_windows', 'recipients', 'refunds',
    'settlement_lines', 'subscription_invoices', 'subscriptions', 'unsent_webhook_deliveries', 'used_wallet_tokens',
    'wallet_credentials', 'wallet_domains', 'webhook_deliveries', 'webhook_endpoints', 'webhook_queues'
  ] loop
    execute format('create statistics %I (dependencies) on slot, merchant_id from %I', name || '_merchants', name);
    continue when has_citus;
    execute format('alter table %I alter column merchant_id set (n_distinct = 1)', name);
    -- Both take effect with the next analysis, which of a large table can be days away. It takes less than a second.
    execute format('select exists (select from %I)', name) into has_rows;
    if has_rows then
      execute format('analyze %I', name);
    end if;
  end loop;
end $$;
