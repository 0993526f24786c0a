/**
 * Brazilian tax numbers. CPF (persons): Receita Federal, two modulo 11 check digits. CNPJ (companies): the same with
 * letters allowed, IN RFB 2.229/2024, in force since July 2026; a character counts as its ASCII code minus 48.
 */

/**
 * True for 11 digits of which the last two are the right check digits. Formatting (`.`, `-`) and one digit repeated 11
 * times are invalid.
 */
export function isValidCpf(value: string): boolean {
  if (!/^[0-9]{11}$/.test(value) || isOneCharacter(value)) return false;
  const checkDigit = (length: number) => mod11(value.slice(0, length), length + 1);
  return checkDigit(9) === Number(value[9]) && checkDigit(10) === Number(value[10]);
}

/**
 * True for 12 characters `0-9A-Z` (upper case only) and two check digits that are right. Formatting (`.`, `/`, `-`) is
 * invalid, and so are 14 zeros, although their check digits are right.
 */
export function isValidCnpj(value: string): boolean {
  if (!/^[0-9A-Z]{12}[0-9]{2}$/.test(value) || isOneCharacter(value)) return false;
  const checkDigit = (length: number) => mod11(value.slice(0, length), 9);
  return checkDigit(12) === Number(value[12]) && checkDigit(13) === Number(value[13]);
}

/** A valid CPF as `529.982.247-25`, or a valid CNPJ as `11.222.333/0001-81`. */
export function formatDocument(document: string): string {
  return document.length === 11
    ? document.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4')
    : document.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5');
}

/** Modulo 11 check digit; weights 2, 3 … `highestWeight` from the right, then 2 again. */
function mod11(characters: string, highestWeight: number): number {
  let sum = 0;
  for (let i = 0; i < characters.length; i += 1) {
    const fromRight = characters.length - 1 - i;
    const weight = 2 + (fromRight % (highestWeight - 1));
    sum += (characters.charCodeAt(i) - 48) * weight;
  }
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}

function isOneCharacter(value: string): boolean {
  return value === value.charAt(0).repeat(value.length);
}
