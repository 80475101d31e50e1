/**
 * The calling window of a campaign in several time zones: a call may be dialed while the window is open in each of them.
 * `number-zones.rules.ts` determines the zones, `calling-window.rules.ts` the window of one zone.
 */
import { windowAt, type CallingWindow, type WindowState } from './calling-window.rules.ts';

const DAY_MS = 86_400_000;
/** As far as the window of one zone looks ahead. Windows that do not overlap by then never do. */
const HORIZON_MS = 15 * DAY_MS;

/** A result, and the time during which it stays the same. */
interface KnownState {
  fromMs: number;
  untilMs: number;
  state: WindowState;
}

/** Results by window and zones, because each claimed lead needs one. A result is valid until the window opens or closes. */
const known = new Map<string, KnownState[]>();
/** More than one, because the window is evaluated by two clocks. */
const KEPT_STATES = 4;
/** The cache is cleared at this number of entries. */
const MOST_KNOWN = 10_000;

/**
 * The state of the common window at a given time.
 *
 * @param zones - IANA names in addition to the window's own zone
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

/** Advances from opening to opening until all windows are open. */
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
