/**
 * The hours of a campaign in several time zones at once: a call may be dialed while every one of them allows it. Which
 * zones those are is decided elsewhere (`number-zones.rules.ts`); each one's hours are `calling-window.rules.ts`'s.
 */
import { windowAt, type CallingWindow, type WindowState } from './calling-window.rules.ts';

const DAY_MS = 86_400_000;
/** As far as a single zone's window looks ahead. Hours that have not met by then never will. */
const HORIZON_MS = 15 * DAY_MS;

/** What was found for some zones, and from when until when nothing else would be. */
interface KnownState {
  fromMs: number;
  untilMs: number;
  state: WindowState;
}

/** By window and zones: an answer holds until it opens or closes, and every lead of every look asks. */
const known = new Map<string, KnownState[]>();
/** Two clocks ask in turn. */
const KEPT_STATES = 4;
/** So many windows and sets of zones are remembered; then all is forgotten. */
const MOST_KNOWN = 10_000;

/**
 * The state of the common window at an instant.
 *
 * @param zones - IANA names beside the window's own; empty: only its own counts
 */
export function commonWindowAt(window: CallingWindow, zones: readonly string[], now: Date): WindowState {
  const states = knownStates(window, zones);
  const nowMs = now.getTime();
  const before = states.find(({ fromMs, untilMs }) => fromMs <= nowMs && nowMs < untilMs);
  if (before) return before.state;
  const state = findState([window, ...zones.map((timezone) => ({ ...window, timezone }))], now);
  const until = state.isOpen ? state.closesAt : state.opensAt;
  states.unshift({ fromMs: nowMs, untilMs: until?.getTime() ?? nowMs + DAY_MS, state });
  states.length = Math.min(states.length, KEPT_STATES);
  return state;
}

function knownStates(window: CallingWindow, zones: readonly string[]): KnownState[] {
  const { timezone, allowedFrom, allowedUntil, allowedDays } = window;
  const key = [timezone, allowedFrom, allowedUntil, ...allowedDays, '', ...zones].join();
  if (known.size > MOST_KNOWN) known.clear();
  const states = known.get(key) ?? [];
  known.set(key, states);
  return states;
}

/** Goes from opening to opening until all are open. */
function findState(windows: readonly CallingWindow[], now: Date): WindowState {
  const limitMs = now.getTime() + HORIZON_MS;
  for (let at = now; at.getTime() <= limitMs;) {
    let closesMs = Infinity;
    let opensMs = 0;
    for (const window of windows) {
      const state = windowAt(window, at);
      if (state.isOpen) closesMs = Math.min(closesMs, state.closesAt.getTime());
      else if (state.opensAt === null) return { isOpen: false, opensAt: null };
      else opensMs = Math.max(opensMs, state.opensAt.getTime());
    }
    if (opensMs === 0)
      return at === now ? { isOpen: true, closesAt: new Date(closesMs) } : { isOpen: false, opensAt: at };
    at = new Date(opensMs);
  }
  return { isOpen: false, opensAt: null };
}
