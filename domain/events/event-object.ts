/** What an event can be about (contract row 13.1). */
export type EventObject = 'payment' | 'subscription';
