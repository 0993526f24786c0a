// Where the reader's settings keep storage back, the renderer would draw nothing: it gets one that ends with the page.
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
