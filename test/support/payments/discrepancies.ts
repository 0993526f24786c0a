import type { TestService } from '../service.ts';

export interface FoundDiscrepancy {
  readonly id: string;
  readonly source: string;
  readonly reason: string;
  readonly payment_id: string;
  readonly operation_id: string;
  readonly reference: string;
  readonly reported: Readonly<Record<string, string | number | null>>;
  readonly recorded: Readonly<Record<string, string | number | null>>;
  readonly status: string;
}

/** The discrepancies of a merchant, oldest first. */
export async function discrepanciesOf(service: TestService, account: string): Promise<FoundDiscrepancy[]> {
  return service.rows<FoundDiscrepancy>(
    'select * from discrepancies where merchant_id = :account order by created_at, id',
    { account },
  );
}
