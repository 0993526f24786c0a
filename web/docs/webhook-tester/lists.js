// The lists of the page. An item that has not changed stays as it is, so what a reader has opened stays open.

/** A list of the page, whose first sentence is shown while it is empty. */
export class List {
  #list;
  #empty;
  #render;
  #shown = new Map();

  /** `render` makes the element of a record. */
  constructor(id, render) {
    this.#list = document.getElementById(id);
    this.#empty = document.getElementById(`no-${id}`);
    this.#render = render;
  }

  get size() {
    return this.#shown.size;
  }

  /** Shows these records, in this order. The focus stays on its item. */
  show(records) {
    const focused = this.#focused();
    const before = this.#shown;
    this.#shown = new Map(records.map((record) => [record.id, this.#itemOf(record, before.get(record.id))]));
    const items = [...this.#shown.values()].map(({ item }) => item);
    const { children } = this.#list;
    if (items.length !== children.length || items.some((item, i) => item !== children[i])) {
      this.#list.replaceChildren(...items);
      this.#shown.get(focused?.id)?.item.querySelector(focused.name)?.focus({ preventScroll: true });
    }
    this.#empty.hidden = items.length > 0;
  }

  /** The record whose item has the focus, and the name of the focused element; undefined without one. */
  #focused() {
    const { activeElement } = document;
    const [id] = [...this.#shown].find(([, { item }]) => item.contains(activeElement)) ?? [];
    return id && { id, name: activeElement.localName };
  }

  /** Shows these records above those that are shown. */
  add(records) {
    const older = [...this.#shown.values()].map(({ record }) => record);
    const ids = new Set(records.map(({ id }) => id));
    this.show([...records, ...older.filter(({ id }) => !ids.has(id))].slice(0, 100));
  }

  #itemOf(record, before) {
    const text = JSON.stringify(record);
    if (before?.text === text) return before;
    const item = this.#render(record);
    const details = item.querySelector('details');
    if (details !== null) details.open = before?.item.querySelector('details')?.open ?? false;
    return { record, text, item };
  }
}
