/**
 * State tables for rows that SQL changes, often many at once: the states in which each event is allowed, and the state
 * that follows. Statements pass `from` to Postgres, so that an event in another state changes nothing.
 */

/** Event → allowed states and next state. */
export type StateTable<State extends string, Event extends string> = Readonly<
  Record<Event, { readonly from: readonly State[]; readonly to: State }>
>;

/** @returns the state after an event; null when the event is not allowed in this state */
export function nextState<State extends string, Event extends string>(
  table: StateTable<State, Event>,
  state: State,
  event: Event,
): State | null {
  const { from, to } = table[event];
  return from.includes(state) ? to : null;
}
