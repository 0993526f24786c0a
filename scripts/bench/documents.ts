/** A valid CPF: nine digits of `seed`, and their check digits. */
export function validCpf(seed: number): string {
  const digits = String(100_000_000 + (seed % 800_000_000))
    .split('')
    .map(Number);
  for (const length of [10, 11]) {
    const sum = digits.reduce((total, digit, index) => total + digit * (length - index), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}
