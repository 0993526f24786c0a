/** Shows what is wrong with the form. */
export class Failures {
  #form;
  #box;

  constructor(form) {
    this.#form = form;
    this.#box = form.querySelector('#failure');
  }

  /** Whether the form has a place for the sentence of a field. */
  has(field) {
    return document.getElementById(`${field}-problem`) !== null;
  }

  /** A sentence above the form, and one at each field: field → sentence. Replaces what was shown. */
  show(failure, problems = new Map()) {
    this.#box.textContent = failure ?? '';
    for (const place of this.#form.querySelectorAll('.problem')) {
      const field = place.id.replace(/-problem$/, '');
      const problem = problems.get(field) ?? '';
      place.textContent = problem;
      const input = document.getElementById(field);
      if (problem === '') input.removeAttribute('aria-invalid');
      else input.setAttribute('aria-invalid', 'true');
    }
    const first = this.#form.querySelector('[aria-invalid="true"]');
    if (first !== null) first.focus();
    else if (failure !== null) {
      this.#box.focus();
      this.#box.scrollIntoView({ block: 'center' });
    }
  }
}
