/** Bodies of new offers. A field given as undefined is left out. */
export function oneTimeOffer(fields: object = {}) {
  return { type: 'one_time', name: 'À vista', amount: 49_900, ...fields };
}

export function recurringOffer(fields: object = {}) {
  return {
    type: 'recurring',
    name: 'Mensal',
    interval: 'monthly',
    trial_days: 7,
    cycles: [
      { start: 1, end: 3, amount: 2_990 },
      { start: 4, end: null, amount: 4_990 },
    ],
    ...fields,
  };
}
