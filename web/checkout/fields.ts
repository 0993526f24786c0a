import { type Html, html } from './markup.ts';

export interface FieldInput {
  readonly id: string;
  /** Absent for the inputs of the card, so that no form can send them. */
  readonly name?: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly problem?: string | undefined;
  readonly type?: string;
  readonly autocomplete?: string;
  readonly inputmode?: string;
  readonly maxlength?: number;
  readonly placeholder?: string;
  /** Shown after the label of a field that can be left empty. */
  readonly optional?: string;
  readonly required?: boolean;
  readonly className?: string;
}

/** A labelled input with the place of its problem. */
export function fieldHtml(field: FieldInput): Html {
  const { id, name, value, type = 'text', autocomplete, inputmode, maxlength, placeholder, required } = field;
  return wrapped(
    field,
    html`<input id="${id}" type="${type}"${name && html` name="${name}"`}${value && html` value="${value}"`}${autocomplete && html` autocomplete="${autocomplete}"`}${inputmode && html` inputmode="${inputmode}"`}${maxlength && html` maxlength="${maxlength}"`}${placeholder && html` placeholder="${placeholder}"`}${required && html` required`}${states(field)}>`,
  );
}

/** A labelled select with the place of its problem. */
export function selectHtml(
  field: FieldInput,
  options: readonly { readonly value: string; readonly text: string }[],
): Html {
  const { id, name, value, autocomplete } = field;
  return wrapped(
    field,
    html`<select id="${id}"${name && html` name="${name}"`}${autocomplete && html` autocomplete="${autocomplete}"`}${states(field)}>${options.map(
      (option) =>
        html`<option value="${option.value}"${option.value === (value ?? '') && html` selected`}>${option.text}</option>`,
    )}</select>`,
  );
}

function states({ id, problem }: FieldInput): Html {
  return html` aria-describedby="${id}-problem"${problem && html` aria-invalid="true"`}`;
}

function wrapped({ id, label, problem, optional, className }: FieldInput, control: Html): Html {
  return html`<div class="field ${className}"><label for="${id}">${label}${optional && html` <small class="hint">(${optional})</small>`}</label>${control}<p class="problem" id="${id}-problem">${problem}</p></div>`;
}
