import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  mandateCancellation,
  mandateRejection,
  PIX_AUTOMATICO_REFUSALS,
  pixAutomaticoRefusal,
} from '../../../domain/payments/pix-automatico-reasons.ts';
import contract from '../../../generated/openapi.json' with { type: 'json' };

describe('the refusals of Pix Automático', () => {
  const codes = Object.keys(PIX_AUTOMATICO_REFUSALS);

  it('have all codes of the attempts, and these are final', () => {
    assert.equal(
      codes.join(' '),
      'AB10 AC05 AC06 AM02 AM09 DENC DS27 DTED DTNT FBRD IRNT MIDI MSUC NIEC NIPA NITX QUNT RC09 UDEI',
    );
    const final = codes.filter((code) => !pixAutomaticoRefusal(code).retryable);
    assert.equal(final.join(' '), 'AC05 AM09 DENC DS27 DTED MIDI MSUC NITX RC09');
  });

  it('keep a code that is unknown, with a neutral sentence', () => {
    const refusal = {
      code: 'ZZ99',
      retryable: true,
      message: "The payer's bank refused the charge.",
    };
    assert.deepEqual(pixAutomaticoRefusal('ZZ99'), refusal);
    assert.deepEqual(pixAutomaticoRefusal('toString'), { ...refusal, code: 'toString' });
  });

  it('have a sentence of their own if the meaning is known', () => {
    assert.deepEqual(pixAutomaticoRefusal('AC05'), {
      code: 'AC05',
      retryable: false,
      message: "The payer's account is closed.",
    });
  });
});

describe('the rejection of a mandate', () => {
  it('is not retried', () => {
    assert.equal(mandateRejection('AP13').retryable, false);
  });
});

describe('the cancellation of a mandate', () => {
  const reasons = contract.components.schemas.MandateCancellationReason.enum;

  it('has the reasons of Pix Automático', () => {
    assert.deepEqual(reasons, ['ACCL', 'CPCL', 'DCSD', 'ERSL', 'FRUD', 'PCFD', 'SLCR', 'SLDB']);
  });

  it('has a sentence of its own if the meaning is known', () => {
    const neutral = mandateCancellation('ZZ99').message;
    const own = reasons.map((code) => mandateCancellation(code)).filter(({ message }) => message !== neutral);
    assert.deepEqual(Object.fromEntries(own.map(({ code, message }) => [code, message])), {
      ACCL: "The payer's account is closed, so the mandate has ended.",
      FRUD: "The payer's bank ended the mandate on suspicion of fraud.",
      SLDB: 'The payer ended the mandate.',
    });
  });

  it('is not retried, and keeps a code that is not known', () => {
    for (const code of [...reasons, 'ZZ99', 'toString']) {
      const { retryable, code: kept, message } = mandateCancellation(code);
      assert.deepEqual([retryable, kept], [false, code]);
      assert.match(message, /ended/);
    }
  });
});
