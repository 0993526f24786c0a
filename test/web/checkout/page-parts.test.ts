/** The parts of checkout pages that need no browser: colors, amounts, language, and what a form sends. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shownAmount, typedAmount } from '../../../web/checkout/amounts.ts';
import { brandColors } from '../../../web/checkout/brand-colors.ts';
import { fieldOfPath, paymentBody, wrongFields } from '../../../web/checkout/form-body.ts';
import {
  installmentDetails,
  installmentOptionText,
  paidInstallments,
} from '../../../web/checkout/installment-words.ts';
import { wordsFor } from '../../../web/checkout/language.ts';
import { html, jsonData } from '../../../web/checkout/markup.ts';
import { NEEDS } from '../../../web/checkout/methods/index.ts';
import { pt } from '../../../web/checkout/words/pt.ts';

/** WCAG's contrast ratio, written again. */
function contrast(one: string, other: string): number {
  const luminance = (hex: string) => {
    const [r, g, b] = [1, 3, 5].map((at) => {
      const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    }) as [number, number, number];
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

test('text can be read with every brand color, on the button and on the light and the dark page', () => {
  const levels = ['00', '33', '66', '99', 'cc', 'ff'];
  for (const r of levels) {
    for (const g of levels) {
      for (const b of levels) {
        const { brand, onBrand, accentLight, accentDark } = brandColors(`#${r}${g}${b}`);
        assert.equal(brand, `#${r}${g}${b}`);
        assert.ok(contrast(brand, onBrand) >= 4.5, `${onBrand} on ${brand}`);
        for (const back of ['#ffffff', '#f4f6f8'])
          assert.ok(contrast(accentLight, back) >= 4.5, `${accentLight} on ${back}`);
        for (const back of ['#14171a', '#1e2227', '#191d21'])
          assert.ok(contrast(accentDark, back) >= 4.5, `${accentDark} on ${back}`);
      }
    }
  }
});

test('a brand color can have 3, 4, 6 or 8 digits; anything else is the color of the service', () => {
  assert.equal(brandColors('#Fa0').brand, '#ffaa00');
  assert.equal(brandColors('#fa08').brand, '#ffaa00');
  assert.equal(brandColors('#1a7f5a80').brand, '#1a7f5a');
  for (const other of [null, '', 'red', '#12', '#1a7f5a}body{display:none']) {
    assert.equal(brandColors(other).brand, '#0b6b53', String(other));
  }
});

test('an amount is read as a buyer types it', () => {
  const typed: [string, number | null][] = [
    ['50', 5_000],
    ['50,5', 5_050],
    ['50.50', 5_050],
    ['1.234,56', 123_456],
    ['1,234.56', 123_456],
    ['1.234.567,8', 123_456_780],
    ['R$ 1234', 123_400],
    ['r$50', 5_000],
    ['R$\u00a05,00', 500],
    ['0,01', 1],
    ['', null],
    ['abc', null],
    [',5', null],
    ['5,', 500],
    ['50 reais', 5_000],
    ['-10', null],
    ['2 x 50', null],
    ['1.2.3', null],
    ['12.34,56', null],
    ['1,234,56', null],
    ['1.234.56', null],
    ['10,0055', null],
    ['123456789', null],
    [' 1 234,56 ', 123_456],
    ['1,234,567.8', 123_456_780],
    ['50,', 5_000],
    ['-50', null],
    ['50-', null],
    ['+50', null],
    ['R$ -50,00', null],
    ['1e5', null],
    ['0x50', null],
    ['=50+1', null],
    ['50%', null],
    ['1,2,3', null],
    ['5,00,0', null],
    ['5000.123', null],
    ['1.2345,00', null],
    ['5０', null],
    ['٥٠', null],
    ['1½', null],
    ['50\u202e05', null],
  ];
  for (const language of ['pt', 'en'] as const)
    for (const [text, centavos] of typed) assert.equal(typedAmount(text, language), centavos, text);
  for (const centavos of [1, 500, 15_990, 123_456, 99_999_999]) {
    assert.equal(typedAmount(shownAmount(centavos, 'pt-BR'), 'pt'), centavos);
    assert.equal(typedAmount(shownAmount(centavos, 'en-US'), 'en'), centavos);
  }
});

test('three digits after a separator are thousands only if the language writes thousands so', () => {
  assert.equal(typedAmount('1.234', 'pt'), 123_400);
  assert.equal(typedAmount('10,005', 'pt'), null);
  assert.equal(typedAmount('1,234', 'en'), 123_400);
  assert.equal(typedAmount('10.005', 'en'), null);
});

test('the language is the one that the browser prefers, and Portuguese if it prefers another', () => {
  const languages: [string | undefined, string][] = [
    [undefined, 'pt-BR'],
    ['', 'pt-BR'],
    ['pt-BR,pt;q=0.9,en;q=0.8', 'pt-BR'],
    ['en-US,en;q=0.9', 'en'],
    ['en;q=0.3, pt;q=0.7', 'pt-BR'],
    ['de-DE,de;q=0.9,en;q=0.5', 'en'],
    ['es', 'pt-BR'],
    ['en;q=0', 'pt-BR'],
    ['en;q=x', 'pt-BR'],
  ];
  for (const [header, lang] of languages) assert.equal(wordsFor(header).lang, lang, header);
});

describe('a form', () => {
  const rules = {
    amount: 10_000,
    collect_phone: true,
    require_address: false,
    language: 'pt' as const,
    needs: NEEDS,
  };
  const filled = {
    payment_method: 'bank_slip',
    email: ' bia@example.com ',
    name: 'Bia',
    phone: '011 98765-4321',
    document: '12.abc.345/01de-35',
    postal_code: '01310-200',
    street: 'Avenida Paulista',
    number: '1578',
    complement: '',
    neighborhood: 'Bela Vista',
    city: 'São Paulo',
    state: 'sp',
  };

  test('becomes the body of a payment', () => {
    assert.deepEqual(wrongFields(filled, rules), []);
    assert.deepEqual(paymentBody(filled, rules), {
      payment_method: 'bank_slip',
      amount: 10_000,
      language: 'pt',
      customer: {
        name: 'Bia',
        email: 'bia@example.com',
        phone: { type: 'mobile', ddi: '55', ddd: '11', number: '987654321' },
        documents: [{ type: 'cnpj', value: '12ABC34501DE35' }],
        addresses: [
          {
            type: 'billing',
            postal_code: '01310200',
            line_1: 'Avenida Paulista',
            number: '1578',
            neighborhood: 'Bela Vista',
            city: 'São Paulo',
            state: 'SP',
            country: 'BR',
          },
        ],
      },
    });
  });

  test('accepts the phone numbers of Brazil, and no others', () => {
    const numbers: [string, string | null][] = [
      ['11987654321', '11 987654321'],
      ['(55) 98765-4321', '55 987654321'],
      ['+55 11 98765-4321', '11 987654321'],
      ['+55 (0) 11 98765-4321', '11 987654321'],
      ['0055 11 98765-4321', '11 987654321'],
      ['(11) 3456-7890', '11 34567890'],
      ['', null],
      ['987654321', null],
      ['00 98765-4321', null],
      ['(10) 98765-4321', null],
      ['(11) 12345-6789', null],
      ['+1 415 555 2671', null],
      ['(+34) 912 345 678', null],
      ['(+55) 11 98765-4321', '11 987654321'],
      ['+351 912 345 678', null],
    ];
    for (const [phone, shown] of numbers) {
      const wrong = wrongFields({ ...filled, phone }, rules);
      assert.deepEqual(wrong, shown === null ? ['phone'] : [], phone);
      if (shown === null) continue;
      const { customer } = paymentBody({ ...filled, phone }, rules);
      assert.equal(`${customer.phone?.ddd} ${customer.phone?.number}`, shown);
    }
  });

  test('sends only what the page asks for', () => {
    const plain = { ...rules, amount: null, collect_phone: false };
    const pix = { ...filled, payment_method: 'pix', amount: '12,30' };
    assert.deepEqual(paymentBody(pix, plain), {
      payment_method: 'pix',
      amount: 1_230,
      language: 'pt',
      customer: { name: 'Bia', email: 'bia@example.com' },
    });
    assert.deepEqual(wrongFields({ payment_method: 'pix' }, plain), ['amount', 'email', 'name']);
  });

  test('sends what was pasted with tabs and line breaks as a single line', () => {
    const { customer } = paymentBody(
      { ...filled, name: ' Bia\tLima\u0007\n', street: 'Avenida\u00a0Paulista\r\n1578' },
      rules,
    );
    assert.equal(customer.name, 'Bia Lima');
    assert.equal(customer.addresses?.[0]?.line_1, 'Avenida\u00a0Paulista 1578');
    assert.deepEqual(wrongFields({ ...filled, name: '\u0007' }, rules), ['name']);
  });

  test('marks the field of each path of a refusal', () => {
    const paths: [string, string][] = [
      ['amount', 'amount'],
      ['customer.email', 'email'],
      ['customer.phone.ddd', 'phone'],
      ['customer.documents', 'document'],
      ['customer.documents.0.value', 'document'],
      ['customer.addresses', 'postal_code'],
      ['customer.addresses.0.line_1', 'street'],
      ['customer.addresses.0.city', 'city'],
      ['encrypted.number', 'card-number'],
      ['encrypted.expYear', 'card-expiry'],
    ];
    for (const [path, field] of paths) assert.equal(fieldOfPath(path), field);
  });
});

test('an installment says its amount, its interest, and a first one that is higher', () => {
  const texts = { ...pt.installments, locale: pt.locale };
  const choice = {
    installments: 3,
    total_amount: 10_350,
    interest_amount: 350,
    first_amount: 3_450,
    installment_amount: 3_450,
  };
  const plain = (text: string) => text.replaceAll('\u00a0', ' ');
  assert.equal(plain(installmentDetails(choice, texts)), 'Total com juros: R$ 103,50.');
  assert.equal(plain(installmentOptionText(choice, texts)), '3x de R$ 34,50 com juros, total R$ 103,50');
  const uneven = {
    ...choice,
    total_amount: 10_000,
    interest_amount: 0,
    first_amount: 3_334,
    installment_amount: 3_333,
  };
  assert.equal(plain(installmentOptionText(uneven, texts)), '3x de R$ 33,33 sem juros, total R$ 100,00');
  assert.equal(plain(installmentDetails(uneven, texts)), 'A primeira parcela é de R$ 33,34.');
  const once = { ...uneven, installments: 1, first_amount: 10_000, installment_amount: 10_000 };
  assert.equal(plain(installmentOptionText(once, texts)), '1x de R$ 100,00');
  const paid = (amount: number, interest_amount: number) =>
    plain(paidInstallments({ installments: 3, amount, interest_amount }, texts));
  assert.equal(paid(10_350, 350), '3x de R$ 34,50 com juros');
  assert.equal(paid(10_000, 0), '3x de R$ 33,33 sem juros. A primeira parcela é de R$ 33,34.');
});

test('markup escapes every text, also inside data', () => {
  assert.equal(
    html`<p title="${`"'<&>`}">${['<b>', html`<i>`]}${null}${false}</p>`.text,
    '<p title="&quot;&#39;&lt;&amp;&gt;">&lt;b&gt;<i></p>',
  );
  assert.equal(
    jsonData('x', '</script>').text,
    '<script type="application/json" id="x">"\\u003c/script>"</script>',
  );
});
