/** A text with its places `{name}` filled. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

/** A text for a number of things, with a form for one. Both can have the place `{count}`. */
export interface Counted {
  readonly one: string;
  readonly other: string;
}

export function counted(texts: Counted, count: number): string {
  return filled(count === 1 ? texts.one : texts.other, { count: String(count) });
}
