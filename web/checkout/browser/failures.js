/** Shows what is wrong with the form. */
export class Failures {
  #form;
  #box;

  constructor(form) {
    this.#form = form;
    this.#box = form.querySelector('#failure');
    // What was said of a field is not true of what is typed now. The form is checked again when it is sent.
    form.addEventListener('input', ({ target }) => {
      const field = target.type === 'radio' ? target.name : target.id;
      if (this.has(field)) this.#mark(field, '');
    });
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
      this.#mark(field, problems.get(field) ?? '');
    }
    const first = this.#form.querySelector('[aria-invalid="true"]');
    if (first !== null) first.focus();
    else if (failure !== null) {
      this.#box.focus();
      this.#box.scrollIntoView({ block: 'center' });
    }
  }

  /** An empty sentence takes the mark away. */
  #mark(field, problem) {
    document.getElementById(`${field}-problem`).textContent = problem;
    const input = document.getElementById(field);
    if (problem === '') input.removeAttribute('aria-invalid');
    else input.setAttribute('aria-invalid', 'true');
  }
}
