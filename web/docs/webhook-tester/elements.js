// Elements without HTML: texts of the API are never read as HTML.

/** An element with its class, attributes and children. */
export function element(name, { className = '', ...attributes } = {}, ...children) {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

export function code(text) {
  return element('code', {}, text);
}

/** An instant as the time of day. */
export function time(instant) {
  return element('time', { datetime: instant }, new Date(instant).toLocaleTimeString());
}

export function json(value, label) {
  const text = element('code', {}, JSON.stringify(value, null, 2));
  const pre = element('pre', { tabindex: '0', role: 'region', 'aria-label': label }, text);
  return element('div', { className: 'code' }, pre);
}

/** A button that ignores clicks while its work runs. It stays focused. */
export function action(title, label, work) {
  const button = element('button', { type: 'button', className: 'copy', 'aria-label': label }, title);
  button.addEventListener('click', async () => {
    if (button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    await work();
    button.ariaDisabled = 'false';
  });
  return button;
}
