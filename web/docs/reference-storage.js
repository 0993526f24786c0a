// If the browser blocks storage, the renderer draws nothing. This gives it a storage that lasts as long as the page.
function memory() {
  const kept = new Map();
  return {
    get length() {
      return kept.size;
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(String(key)) ?? null,
    setItem: (key, value) => void kept.set(String(key), String(value)),
    removeItem: (key) => void kept.delete(String(key)),
    clear: () => kept.clear(),
  };
}

for (const name of ['localStorage', 'sessionStorage']) {
  try {
    globalThis[name].getItem('colorMode');
  } catch {
    Object.defineProperty(globalThis, name, { value: memory() });
  }
}
