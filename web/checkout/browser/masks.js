const digitsOf = (text) => text.replaceAll(/\D/g, '');
const grouped = (text, sizes, separators) => {
  let rest = text;
  let shown = '';
  for (const [at, size] of sizes.entries()) {
    if (rest === '') break;
    shown += (at === 0 ? '' : separators[at - 1]) + rest.slice(0, size);
    rest = rest.slice(size);
  }
  return shown;
};

/** How each input is written while it is typed, by its id. */
const MASKS = {
  // Numbers with a country code, or with a 0 before the area code, stay as they are typed.
  phone: (text) => {
    const digits = digitsOf(text);
    if (digits === '' || digits.length > 11 || /^\D*[+0]/.test(text)) return text;
    return `(${grouped(digits, [2, digits.length > 10 ? 5 : 4, 4], [') ', '-'])}`;
  },
  postal_code: (text) => grouped(digitsOf(text).slice(0, 8), [5, 3], ['-']),
  'card-number': (text) => {
    const digits = digitsOf(text).slice(0, 19);
    return /^3[47]/.test(digits)
      ? grouped(digits, [4, 6, 5], [' ', ' '])
      : grouped(digits, [4, 4, 4, 4, 3], [' ', ' ', ' ', ' ']);
  },
  'card-expiry': (text) => {
    const digits = digitsOf(text);
    const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits;
    // A browser fills in four digits of the year.
    const short = padded.length === 6 ? padded.slice(0, 2) + padded.slice(4) : padded.slice(0, 4);
    return grouped(short, [2, 2], ['/']);
  },
  'card-code': (text) => digitsOf(text).slice(0, 4),
  document: (text) => {
    const typed = text.replaceAll(/[^\dA-Za-z]/g, '').toUpperCase();
    if (/^\d{0,11}$/.test(typed)) return grouped(typed, [3, 3, 3, 2], ['.', '.', '-']);
    return grouped(typed.slice(0, 14), [2, 3, 3, 4, 2], ['.', '.', '/', '-']);
  },
};

/** Formats what is typed at the end of an input. A change in the middle is left alone, so that the cursor stays. */
export function maskInputs(form) {
  for (const [id, mask] of Object.entries(MASKS)) {
    const input = form.querySelector(`#${id}`);
    input?.addEventListener('input', (event) => {
      const isAtEnd = input.selectionStart === null || input.selectionStart === input.value.length;
      if (isAtEnd && !event.inputType?.startsWith('delete')) input.value = mask(input.value);
    });
    input?.addEventListener('blur', () => {
      input.value = mask(input.value);
    });
  }
}
