import { statement } from '@parley/db';
import { useTestDatabase } from '@parley/testkit';
import { describe, expect, it } from 'vitest';
import { windowAt, type CallingWindow } from './calling-window.rules.ts';

const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function window(from: string, until: string, timezone = 'UTC', days: string[] = EVERY_DAY): CallingWindow {
  return { timezone, allowedFrom: from, allowedUntil: until, allowedDays: days };
}

const OPEN = 'open';

/** 2026-01-05 is a Monday. The last column: open, or the next opening, or null for never. */
const TABLE: [what: string, window: CallingWindow, now: string, expected: string | null][] = [
  ['the start is inside', window('09:00:00', '17:00:00'), '2026-01-05T09:00:00Z', OPEN],
  ['the end is outside', window('09:00:00', '17:00:00'), '2026-01-05T17:00:00Z', '2026-01-06T09:00:00Z'],
  ['the last instant before the end is inside', window('09:00', '17:00'), '2026-01-05T16:59:59.999Z', OPEN],
  [
    'before the start of the day',
    window('09:00', '17:00'),
    '2026-01-05T08:59:59.999Z',
    '2026-01-05T09:00:00Z',
  ],
  ['over midnight, before it', window('22:00', '02:00', 'UTC', ['friday']), '2026-01-09T23:00:00Z', OPEN],
  [
    'over midnight belongs to the starting day',
    window('22:00', '02:00', 'UTC', ['friday']),
    '2026-01-10T01:59:59Z',
    OPEN,
  ],
  [
    'the night before is another day',
    window('22:00', '02:00', 'UTC', ['friday']),
    '2026-01-09T01:00:00Z',
    '2026-01-09T22:00:00Z',
  ],
  ['23:59 as an end means midnight', window('09:00', '23:59'), '2026-01-05T23:59:30Z', OPEN],
  ['23:59:59 as an end means midnight', window('09:00', '23:59:59'), '2026-01-05T23:59:59.999Z', OPEN],
  [
    '23:58:59 as an end means what it says',
    window('09:00', '23:58:59'),
    '2026-01-05T23:58:59Z',
    '2026-01-06T09:00:00Z',
  ],
  [
    '23:59 as a start means what it says',
    window('23:59', '23:59:59'),
    '2026-01-05T23:58:59Z',
    '2026-01-05T23:59:00Z',
  ],
  ['the default is the whole day', window('00:00:00', '23:59:00'), '2026-01-05T23:59:59.999Z', OPEN],
  [
    'equal times mean the whole day',
    window('09:00', '09:00', 'UTC', ['monday']),
    '2026-01-05T03:00:00Z',
    OPEN,
  ],
  [
    'and nothing of the next',
    window('09:00', '09:00', 'UTC', ['monday']),
    '2026-01-06T00:00:00Z',
    '2026-01-12T00:00:00Z',
  ],
  [
    'an end of midnight',
    window('22:00', '00:00', 'UTC', ['monday']),
    '2026-01-06T00:00:00Z',
    '2026-01-12T22:00:00Z',
  ],
  ['no day is allowed', window('00:00', '23:59', 'UTC', []), '2026-01-05T12:00:00Z', null],
  [
    'weekday and hour are those of the zone',
    window('09:00', '17:00', 'Asia/Tokyo', ['tuesday']),
    '2026-01-06T00:00:00Z',
    OPEN,
  ],
  // Berlin skips 02:00 to 03:00 on 2026-03-29 and has 02:00 to 03:00 twice on 2026-10-25.
  [
    'a span whose end then precedes its start is empty, also two weeks before the next one',
    window('02:30', '03:10', 'Europe/Berlin', ['sunday']),
    '2026-03-22T12:00:00Z',
    '2026-04-05T00:30:00Z',
  ],
  [
    'a span that then begins at its end is empty',
    window('02:00', '03:00', 'Europe/Berlin', ['sunday']),
    '2026-03-29T00:59:59Z',
    '2026-04-05T00:00:00Z',
  ],
  [
    'a start that is skipped is an hour later',
    window('02:30', '09:00', 'Europe/Berlin'),
    '2026-03-29T01:29:59Z',
    '2026-03-29T01:30:00Z',
  ],
  ['and then it opens', window('02:30', '09:00', 'Europe/Berlin'), '2026-03-29T01:30:00Z', OPEN],
  [
    'a span that the change turns upside down is empty',
    window('02:30', '03:00', 'Europe/Berlin', ['sunday']),
    '2026-03-29T01:15:00Z',
    '2026-04-05T00:30:00Z',
  ],
  [
    'a start that comes twice is the second one',
    window('02:30', '09:00', 'Europe/Berlin'),
    '2026-10-25T00:30:00Z',
    '2026-10-25T01:30:00Z',
  ],
  [
    'an end that comes twice is the second one',
    window('01:00', '02:30', 'Europe/Berlin'),
    '2026-10-25T01:29:59Z',
    OPEN,
  ],
  [
    'nine o clock is nine o clock in summer',
    window('09:00', '17:00', 'Europe/Berlin'),
    '2026-07-06T07:00:00Z',
    OPEN,
  ],
  [
    'nine o clock is nine o clock in winter',
    window('09:00', '17:00', 'Europe/Berlin'),
    '2026-01-05T07:00:00Z',
    '2026-01-05T08:00:00Z',
  ],
  [
    'a change of half an hour',
    window('02:15', '09:00', 'Australia/Lord_Howe'),
    '2026-10-03T15:44:59Z',
    '2026-10-03T15:45:00Z',
  ],
  [
    'a day that a zone has skipped',
    window('09:00', '17:00', 'Pacific/Apia', ['saturday']),
    '2011-12-30T20:00:00Z',
    OPEN,
  ],
];

describe('the calling window', () => {
  it.each(TABLE)('%s', (_what, settings, now, expected) => {
    const state = windowAt(settings, new Date(now));
    if (expected === OPEN) return expect(state).toMatchObject({ isOpen: true });
    return expect(state).toEqual({ isOpen: false, opensAt: expected === null ? null : new Date(expected) });
  });
});

/** The same rule a second time, in the words of SQL and with PostgreSQL's own time zones. */
const oracle = statement<{ isOpen: boolean; opensAt: Date | null }>(
  '',
  `with given as (
     select $1::timestamptz as now, $2::text as zone, $3::time as f, $4::time as u, $5::text[] as days
   ), times as (
     select *, case when f = u then time '00:00' else f end as first,
       case when f = u or u in ('23:59', '23:59:59') then interval '1 day'
         when u < f then interval '1 day' + (u - time '00:00') else u - time '00:00' end as last
     from given
   ), spans as (
     select now, (day + first) at time zone zone as opens, (day + last) at time zone zone as closes
     from times, lateral (
       select ((now at time zone zone)::date + n)::timestamp as day from generate_series(-3, 22) n) d
     where lower(trim(to_char(day, 'Day'))) = any (days)
   )
   select coalesce(bool_or(opens <= now and now < closes), false) as is_open,
     min(opens) filter (where opens > now and opens < closes) as opens_at from spans`,
);

/** Every kind of change: half hours, double hours, a skipped day, none at all. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Europe/London',
  'Europe/Dublin',
  'America/New_York',
  'America/St_Johns',
  'America/Santiago',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  'Asia/Jerusalem',
  'Australia/Lord_Howe',
  'Australia/Adelaide',
  'Pacific/Auckland',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Pacific/Chatham',
  'America/Havana',
  'Africa/Cairo',
  'Atlantic/Azores',
  'America/Nuuk',
  'Asia/Beirut',
];
/** Times at which zones like to change their clocks, and times that mean something. */
const TIMES = [
  '00:00:00',
  '01:00:00',
  '01:30:00',
  '02:00:00',
  '02:15:00',
  '02:30:00',
  '03:00:00',
  '23:00:00',
];
const ENDS = ['23:59:00', '23:59:59', '00:00:01', '12:00:00'];

const CASES = Number(
  process.env['PARLEY_WINDOW_CASES'] ?? (process.env['PARLEY_LONG'] === 'true' ? 3000 : 400),
);
const SEED = Number(process.env['PARLEY_SEED'] ?? 20_260_105);

describe('the calling window, beside PostgreSQL', () => {
  const database = useTestDatabase();

  it(`agrees with the oracle in ${CASES} cases (seed ${SEED})`, { timeout: 60_000 + CASES * 5 }, async () => {
    const { disagreements, verdicts } = await compareWithOracle(windowAt, CASES);
    expect(disagreements).toEqual([]);
    // A generator that never opens the window, or never closes it, would prove nothing.
    expect(Math.min(verdicts.open, verdicts.closed)).toBeGreaterThan(CASES / 10);
    expect(verdicts.never).toBeGreaterThan(0);
  });

  it('negative control: a rule that takes every zone for UTC is found out', async () => {
    const forgetful: typeof windowAt = (settings, now) => windowAt({ ...settings, timezone: 'UTC' }, now);
    const { disagreements } = await compareWithOracle(forgetful, 100);
    expect(disagreements.length).toBeGreaterThan(10);
  });

  async function compareWithOracle(rule: typeof windowAt, cases: number) {
    const random = seeded(SEED);
    const verdicts = { open: 0, closed: 0, never: 0 };
    const disagreements: string[] = [];
    for (let index = 0; index < cases; index++) {
      const { settings, now } = makeCase(random);
      const { timezone, allowedFrom, allowedUntil, allowedDays } = settings;
      const [said] = await database.db.query(oracle, [now, timezone, allowedFrom, allowedUntil, allowedDays]);
      const state = rule(settings, now);
      const ours = state.isOpen ? OPEN : (state.opensAt?.toISOString() ?? null);
      const theirs = said?.isOpen ? OPEN : (said?.opensAt?.toISOString() ?? null);
      if (ours !== theirs)
        disagreements.push(`${now.toISOString()} ${JSON.stringify(settings)}: ${ours}, ${theirs}`);
      verdicts[state.isOpen ? 'open' : state.opensAt ? 'closed' : 'never'] += 1;
    }
    return { disagreements, verdicts };
  }
});

type Random = () => number;

/** Half of the instants lie within a day of a change of the zone's clocks. */
function makeCase(random: Random): { settings: CallingWindow; now: Date } {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const timezone = pick(ZONES);
  const anywhere = Date.UTC(2010, 0, 1) + random() * 17 * 365 * 86_400_000;
  const change = random() < 0.5 ? changeAfter(timezone, anywhere) : null;
  const nowMs = Math.floor(change === null ? anywhere : change + (random() - 0.5) * 2 * 86_400_000);
  const allowedDays = EVERY_DAY.filter(() => random() < 0.6);
  const settings = {
    timezone,
    allowedFrom: random() < 0.7 ? pick(TIMES) : anyTime(random),
    allowedUntil: random() < 0.7 ? pick([...TIMES, ...ENDS]) : anyTime(random),
    allowedDays: random() < 0.02 ? [] : allowedDays,
  };
  return { settings, now: new Date(nowMs) };
}

function anyTime(random: Random): string {
  const part = (limit: number): string => String(Math.floor(random() * limit)).padStart(2, '0');
  return `${part(24)}:${part(60)}:${part(60)}`;
}

/** The first change of the zone's offset within a year, to the hour. */
function changeAfter(timezone: string, fromMs: number): number | null {
  const format = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' });
  const offsetAt = (ms: number): string => format.format(ms).split('GMT')[1] ?? '';
  const stepMs = 14 * 86_400_000;
  for (let ms = fromMs; ms < fromMs + 366 * 86_400_000; ms += stepMs) {
    if (offsetAt(ms) !== offsetAt(ms + stepMs)) return bisect(offsetAt, ms, ms + stepMs);
  }
  return null;
}

function bisect(offsetAt: (ms: number) => string, beforeMs: number, afterMs: number): number {
  let [low, high] = [beforeMs, afterMs];
  while (high - low > 1000) {
    const middle = (low + high) / 2;
    if (offsetAt(middle) === offsetAt(low)) low = middle;
    else high = middle;
  }
  return high;
}

/** Mulberry32: small, and the same on every machine. */
function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
