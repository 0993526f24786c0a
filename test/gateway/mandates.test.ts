import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addDays } from '../../domain/business-days.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/durations.ts';
import { startOfMerchantDay } from '../../domain/local-time.ts';
import { pixAutomaticoRefusal } from '../../domain/payments/pix-automatico-reasons.ts';
import { later, NOON, type RunningAcquirer, reference, startAcquirer } from './support/acquirer.ts';
import { DUE, DUE_6H, Payer, TODAY } from './support/payer.ts';

describe('mandates of Pix Automático at the simulated acquirer', () => {
  let running: RunningAcquirer;
  before(async () => {
    running = await startAcquirer(1_000);
  });
  after(() => running.stop());

  it('registers a mandate without a charge (journey 2), which the payer authorizes', async () => {
    const payer = new Payer(running);
    const command = payer.request();
    const outcome = await payer.acquirer.perform(command);
    assert.ok(outcome.kind === 'approved');
    assert.equal(outcome.location, undefined);
    assert.match(outcome.recurrenceLocation ?? '', /^[!-~]{1,77}$/);
    assert.deepEqual(await payer.acquirer.perform(command), outcome);
    assert.deepEqual(await payer.inquire(command.reference), { ...outcome, charge: { state: 'open' } });

    assert.deepEqual(await payer.authorize(command.reference), { kind: 'done' });
    const [authorized, ...others] = payer.sink.of(payer.account);
    assert.deepEqual(others, []);
    assert.equal(authorized?.type, 'mandate.authorized');
    assert.equal(authorized?.amount_centavos, 0);
    assert.match(authorized?.mandate?.chargeCode ?? '', /^RR99999004\d{8}[A-Za-z0-9]{11}$/);
    const asked = await payer.inquire(command.reference);
    assert.ok(asked.kind === 'approved' && asked.charge?.state === 'authorized');
    assert.equal(asked.charge.mandate?.chargeCode, authorized?.mandate?.chargeCode);
    assert.equal((await payer.authorize(command.reference)).kind, 'not_allowed');
    assert.equal(await payer.control.nextDue(payer.account), null);
  });

  it('registers a mandate with its first charge (journey 3): paying authorizes it', async () => {
    const payer = new Payer(running);
    const command = payer.request({ amount_centavos: 4_990 }, { allowsRetries: false });
    const outcome = await payer.acquirer.perform(command);
    assert.ok(outcome.kind === 'approved');
    assert.ok(outcome.location !== undefined && outcome.recurrenceLocation !== undefined);

    assert.deepEqual(await payer.simulate(command.reference, 'paid'), { kind: 'done' });
    const [authorized, paid] = payer.sink.of(payer.account);
    assert.deepEqual([authorized?.type, paid?.type], ['mandate.authorized', 'pix_recurring.paid']);
    assert.equal(paid?.amount_centavos, 4_990);
    assert.match(paid?.endToEndId ?? '', /^E\d{20}[A-Za-z0-9]{11}$/);
    assert.match(paid?.mandate?.chargeCode ?? '', /^RN/);
    assert.deepEqual(paid?.mandate, authorized?.mandate);
    const asked = await payer.inquire(command.reference);
    assert.ok(asked.kind === 'approved' && asked.charge?.state === 'paid');
    assert.deepEqual([asked.charge.endToEndId, asked.charge.mandate], [paid?.endToEndId, paid?.mandate]);
  });

  it('expires a QR code that is not used in 30 minutes, and refuses it after that', async () => {
    const payer = new Payer(running);
    const ref = await payer.requested();
    assert.equal((await payer.authorize(ref, later(30 * MINUTE_MS))).kind, 'not_allowed');
    await payer.runDue(later(HOUR_MS));
    assert.deepEqual(payer.notified(), [['pix_recurring.expired', 30, null]]);
    assert.equal((await payer.authorize(ref)).kind, 'not_allowed');
  });

  for (const [journey, amount_centavos] of [
    ['2', 0],
    ['3', 4_990],
  ] as const) {
    it(`rejects or authorizes by a script of the mandate, in journey ${journey}`, async () => {
      const payer = new Payer(running);
      await payer.scripted('mandate', 'AP14');
      await payer.requested({ amount_centavos });
      await payer.runDue(later(MINUTE_MS));
      assert.deepEqual(payer.notified(), [['mandate.rejected', 1 / 6, 'AP14']]);
      await payer.scripted('mandate', 'approve');
      await payer.requested({ amount_centavos });
      await payer.runDue(later(MINUTE_MS));
      assert.equal(payer.notified()[1]?.[0], 'mandate.authorized');
      assert.equal(payer.notified().length, amount_centavos === 0 ? 2 : 3);
    });
  }

  it('rejects the mandate of the CPF for that, and authorizes those of others by themselves', async () => {
    const outcomes = { '99990001189': 'mandate.rejected', '99990001260': 'mandate.authorized' };
    for (const [document, type] of Object.entries(outcomes)) {
      const payer = new Payer(running);
      const customer = { customerId: payer.customerId, name: 'Maria Silva', document };
      await payer.requested({ customer });
      await payer.runDue(later(MINUTE_MS));
      assert.equal(payer.notified()[0]?.[0], type);
    }
  });

  it('loses the answer to a request, which an inquiry finds', async () => {
    const payer = new Payer(running);
    await payer.scripted('mandate', 'time_out');
    const command = payer.request();
    assert.equal((await payer.acquirer.perform(command)).kind, 'unknown');
    assert.equal((await payer.inquire(command.reference)).kind, 'approved');
    assert.deepEqual(await payer.authorize(command.reference), { kind: 'done' });
  });

  it('pays a charge at 06:00 of its due date', async () => {
    const payer = new Payer(running);
    const mandate = await payer.authorizedMandate();
    assert.equal((await payer.charge(mandate)).kind, 'approved');
    await payer.runDue(new Date(DUE_6H.getTime() - 1));
    assert.equal(payer.notified().length, 1);
    await payer.runDue(DUE_6H);
    const [, paid] = payer.sink.of(payer.account);
    assert.deepEqual([paid?.type, paid?.occurredAt], ['pix_recurring.paid', DUE_6H]);
  });

  it('pays a charge that is sent late shortly after it arrives', async () => {
    const payer = new Payer(running);
    const mandate = await payer.authorizedMandate();
    await payer.charge(mandate, { dueDate: TODAY });
    await payer.runDue(later(MINUTE_MS));
    assert.deepEqual(payer.notified()[1], ['pix_recurring.paid', 1 / 6, null]);
  });

  it('refuses a charge on its due date by a script of authorize, or by the CPF for that', async () => {
    const scripted = new Payer(running);
    const first = await scripted.authorizedMandate();
    await scripted.scripted('authorize', 'AM02');
    assert.equal((await scripted.charge(first)).kind, 'approved');
    await scripted.runDue(DUE_6H);
    assert.equal(scripted.sink.of(scripted.account)[1]?.type, 'pix_recurring.refused');
    assert.deepEqual(scripted.sink.of(scripted.account)[1]?.refusal, {
      code: 'AM02',
      retryable: true,
      message: 'The amount is above the limit that the payer has set.',
    });
    const byDocument = new Payer(running);
    const customer = { customerId: byDocument.customerId, name: 'Maria Silva', document: '99990001340' };
    const second = await byDocument.authorizedMandate({ customer });
    await byDocument.charge(second, { customer });
    await byDocument.runDue(DUE_6H);
    assert.equal(byDocument.notified()[1]?.[2], 'AC05');
  });

  it('executes a charge once, also if its answer is lost', async () => {
    const payer = new Payer(running);
    const mandate = await payer.authorizedMandate();
    await payer.scripted('authorize', 'time_out');
    const ref = reference();
    assert.equal((await payer.charge(mandate, { reference: ref })).kind, 'unknown');
    assert.equal((await payer.inquire(ref)).kind, 'approved');
    await payer.runDue(DUE_6H);
    assert.equal(payer.notified().filter(([type]) => type === 'pix_recurring.paid').length, 1);
  });

  it('refuses a charge without an authorized mandate, or with an amount that it does not allow', async () => {
    const payer = new Payer(running);
    const codeOf = async (charging: ReturnType<Payer['charge']>) => {
      const outcome = await charging;
      return outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind;
    };
    assert.equal(await codeOf(payer.charge(reference())), 'unknown_mandate');
    assert.equal(await codeOf(payer.charge(await payer.requested())), 'mandate_not_active');
    const fixed = await payer.authorizedMandate({}, { recurringAmount_centavos: 5_000 });
    assert.equal(await codeOf(payer.charge(fixed)), 'AM09');
    assert.equal(await codeOf(payer.charge(fixed, { amount_centavos: 5_000 })), 'approved');
    const minimum = await payer.authorizedMandate({}, { minAmount_centavos: 5_000 });
    assert.equal(await codeOf(payer.charge(minimum)), 'AM09');
    assert.equal(await codeOf(payer.charge(minimum, { amount_centavos: 5_001 })), 'approved');
  });

  it('withdraws a charge until 22:00 of the day before', async () => {
    const payer = new Payer(running);
    const mandate = await payer.authorizedMandate();
    const deadline = new Date(startOfMerchantDay(addDays(DUE, -1)).getTime() + 22 * HOUR_MS);
    const [early, late] = [reference(), reference()];
    await payer.charge(mandate, { reference: early });
    await payer.charge(mandate, { reference: late });
    const before = new Date(deadline.getTime() - 1);
    assert.equal((await payer.modify('cancel', early, 4_990, before)).kind, 'approved');
    const refused = await payer.modify('cancel', late, 4_990, deadline);
    assert.equal(refused.kind === 'refused' && refused.refusal.code, 'not_cancelable');
    await payer.runDue(DUE_6H);
    const paid = payer.sink.of(payer.account).filter(({ type }) => type === 'pix_recurring.paid');
    assert.deepEqual(
      paid.map((one) => one.reference),
      [late],
    );
  });

  it('ends a mandate finally by our command, before or after it was authorized', async () => {
    const payer = new Payer(running);
    for (const mandate of [await payer.requested(), await payer.authorizedMandate()]) {
      assert.equal((await payer.modify('cancel_mandate', mandate, 0)).kind, 'approved');
      assert.equal((await payer.modify('cancel_mandate', mandate, 0)).kind, 'approved');
      assert.equal((await payer.authorize(mandate)).kind, 'not_allowed');
      const refused = await payer.charge(mandate);
      assert.equal(refused.kind === 'refused' && refused.refusal.code, 'mandate_not_active');
    }
    const unknown = await payer.modify('cancel_mandate', reference(), 0);
    assert.equal(unknown.kind === 'refused' && unknown.refusal.code, 'unknown_payment');
    await payer.scripted('cancel', 'time_out');
    const lost = await payer.authorizedMandate();
    assert.equal((await payer.modify('cancel_mandate', lost, 0)).kind, 'unknown');
    assert.equal((await payer.charge(lost)).kind, 'refused');
  });

  it('reports a payer who ends the mandate, and cancels the charges of later days', async () => {
    const payer = new Payer(running);
    const mandate = await payer.authorizedMandate();
    const [due, future] = [reference(), reference()];
    await payer.charge(mandate, { reference: due, dueDate: addDays(TODAY, 2) });
    await payer.charge(mandate, { reference: future, dueDate: addDays(TODAY, 3) });
    const onDueDay = new Date(startOfMerchantDay(DUE).getTime() + HOUR_MS);
    assert.deepEqual(await payer.cancelByPayer(mandate, 'ACCL', onDueDay), { kind: 'done' });
    const [, canceled, withdrawn] = payer.sink.of(payer.account);
    assert.deepEqual([canceled?.type, canceled?.mandate?.cancellationCode], ['mandate.canceled', 'ACCL']);
    assert.deepEqual([withdrawn?.type, withdrawn?.reference], ['cancel.approved', future]);
    await payer.runDue(addDaysAt(DUE, 5));
    assert.deepEqual(
      payer.sink
        .of(payer.account)
        .slice(3)
        .map(({ type, reference: ref }) => [type, ref]),
      [['pix_recurring.paid', due]],
    );
    assert.equal((await payer.cancelByPayer(mandate)).kind, 'not_allowed');
  });

  it('answers an inquiry about a charge with what has become of it', async () => {
    const payer = new Payer(running);
    const mandate = await payer.authorizedMandate();
    const [paid, refused, withdrawn, left] = [reference(), reference(), reference(), reference()];
    for (const ref of [paid, refused, withdrawn, left]) await payer.charge(mandate, { reference: ref });
    const chargeOf = async (ref: string) => {
      const outcome = await payer.inquire(ref);
      return outcome.kind === 'approved' ? outcome.charge : outcome;
    };
    assert.deepEqual(await chargeOf(paid), { state: 'open' });
    await payer.simulate(refused, 'refused', 'AC05');
    await payer.modify('cancel', withdrawn, 4_990);
    await running.books.query('delete from simulator.scheduled_events where payment_reference = $1', [left]);
    await payer.runDue(DUE_6H);
    const [notified] = payer.sink.of(payer.account).filter(({ type }) => type === 'pix_recurring.paid');
    const ended = { amount_centavos: 4_990, refusal: null, endToEndId: null, occurredAt: NOON };
    assert.deepEqual(await chargeOf(paid), {
      ...ended,
      state: 'paid',
      endToEndId: notified!.endToEndId,
      occurredAt: DUE_6H,
    });
    const reason = pixAutomaticoRefusal('AC05');
    assert.deepEqual(await chargeOf(refused), { ...ended, state: 'refused', refusal: reason });
    assert.deepEqual(await chargeOf(withdrawn), { ...ended, state: 'canceled' });
    assert.deepEqual(await chargeOf(left), { state: 'open' });
    const codeOf = async (at: Date) => (await payer.modify('cancel', left, 4_990, at)).kind;
    assert.equal(await codeOf(DUE_6H), 'refused');
    assert.equal(await codeOf(addDaysAt(DUE, 1)), 'approved', 'one that is still open after its day');
  });

  it('refuses a malformed request for a mandate or a charge', async () => {
    const payer = new Payer(running);
    const wrong = [
      payer.request({ amount_centavos: -1 }),
      payer.request({ amount_centavos: 100, txid: 'short' }),
      payer.request({}, { interval: 'daily' as 'weekly' }),
      payer.request({}, { recurringAmount_centavos: 0 }),
    ];
    for (const command of wrong)
      assert.deepEqual(await payer.acquirer.perform(command), { kind: 'unknown', cause: 'status_400' });
    const charged = await payer.charge(reference(), { amount_centavos: 0 });
    assert.deepEqual(charged, { kind: 'unknown', cause: 'status_400' });
  });
});

function addDaysAt(day: string, days: number): Date {
  return startOfMerchantDay(addDays(day, days));
}
