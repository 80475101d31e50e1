import type { InboundRouteRecord } from '@parley/contracts';
import { describe, expect, it } from 'vitest';
import { formatTimeOfDay } from '../ui/format.rules.ts';
import { routeDraft, routeInput } from './route-draft.rules.ts';
import { routeSentences } from './route-labels.rules.ts';
import { routeWeek } from './route-week.rules.ts';

const NAMES = new Map([
  [1, 'Anna'],
  [2, 'Otto'],
]);
const weekdays: InboundRouteRecord['rules'][number]['days'] = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
];
const OFFICE: InboundRouteRecord = {
  timezone: 'Europe/Berlin',
  rules: [
    {
      days: weekdays,
      from: '09:00:00',
      until: '17:00:00',
      caller_countries: [],
      action: { type: 'assistant', assistant_id: 1 },
    },
    {
      days: ['monday', 'saturday'],
      from: '00:00:00',
      until: '00:00:00',
      caller_countries: ['DE', 'AT'],
      action: {
        type: 'menu',
        assistant_id: 1,
        text: 'Press 1 or 2.',
        choices: [
          { key: '1', assistant_id: 2 },
          { key: '2', assistant_id: 9 },
        ],
      },
    },
  ],
  otherwise: { type: 'voicemail', assistant_id: 1, text: 'Speak.', max_seconds: 60 },
  queue: null,
};
const STREAM: InboundRouteRecord['otherwise'] = {
  type: 'stream',
  assistant_id: 1,
  url: 'wss://agent.example/media',
  parameters: [
    { name: 'from', value: '{{customer_phone}}' },
    { name: 'query', value: 'a=b' },
  ],
  on_failure: 'hang_up',
};

describe('a route', () => {
  it('is described in sentences', () => {
    expect(routeSentences(OFFICE, NAMES)).toEqual([
      `Monday to Friday, ${formatTimeOfDay('09:00')}–${formatTimeOfDay('17:00')}: Anna`,
      'Monday, Saturday, callers from DE, AT: key 1 Otto, key 2 a deleted assistant',
      'Otherwise: Voicemail',
    ]);
    expect(routeSentences({ ...OFFICE, rules: [] }, NAMES)).toEqual(['Always: Voicemail']);
    expect(routeSentences({ ...OFFICE, rules: [], otherwise: STREAM }, NAMES)).toEqual([
      'Always: Agent at agent.example',
    ]);
  });

  it('to an agent survives the form unchanged', () => {
    const draft = routeDraft({ ...OFFICE, otherwise: STREAM }, { assistantId: '', timezone: 'UTC' });
    expect(draft.otherwise.parameters).toBe('from={{customer_phone}}\nquery=a=b');
    expect(routeInput(draft).otherwise).toEqual({ ...STREAM, assistant_id: '1' });
  });

  it('survives the form unchanged', () => {
    const draft = routeDraft(OFFICE, { assistantId: '', timezone: 'UTC' });
    expect(routeInput(draft)).toMatchObject({
      timezone: 'Europe/Berlin',
      rules: [
        { days: weekdays, from: '09:00', until: '17:00', action: { type: 'assistant', assistant_id: '1' } },
        { caller_countries: ['DE', 'AT'], action: { choices: [{ key: '1' }, { key: '2' }] } },
      ],
      otherwise: { type: 'voicemail', text: 'Speak.', max_seconds: '60' },
    });
  });

  it('keeps its queue in the form, and says it in a sentence', () => {
    const queue: InboundRouteRecord['queue'] = {
      max_calls: 3,
      max_waiting: 7,
      max_wait_seconds: 120,
      text: 'Please wait.',
      announce_every_seconds: 30,
      overflow: { type: 'message', assistant_id: 2, text: 'Call again.' },
    };
    const route = { ...OFFICE, queue };
    expect(routeSentences(route, NAMES).at(-1)).toBe(
      'Queue: at most 3 conversations at once, 7 callers wait',
    );
    const draft = routeDraft(route, { assistantId: '', timezone: 'UTC' });
    expect(routeInput(draft).queue).toEqual({
      max_calls: '3',
      max_waiting: '7',
      max_wait_seconds: '120',
      text: 'Please wait.',
      announce_every_seconds: '30',
      overflow: { type: 'message', assistant_id: '2', text: 'Call again.' },
    });
    expect(routeInput({ ...draft, queue: { ...draft.queue, isOn: false } }).queue).toBeNull();
  });

  it('begins with office hours of the assistant that answers now, and voicemail', () => {
    const draft = routeDraft(null, { assistantId: '1', timezone: 'Europe/Berlin' });
    expect(draft.rules).toMatchObject([{ from: '09:00', action: { type: 'assistant', assistant_id: '1' } }]);
    expect(draft).toMatchObject({ timezone: 'Europe/Berlin', otherwise: { type: 'voicemail' } });
  });
});

describe('the picture of a week', () => {
  const rule = (from: string, until: string, countries: string[] = []) => ({
    days: ['monday' as const],
    from,
    until,
    caller_countries: countries,
  });

  it('shows the first rule where several are open', () => {
    const [monday, tuesday] = routeWeek([rule('12:00:00', '13:00:00'), rule('09:00:00', '17:00:00')]);
    expect(monday?.spans).toEqual([
      { from: 720, until: 780, rule: 0 },
      { from: 540, until: 720, rule: 1 },
      { from: 780, until: 1020, rule: 1 },
    ]);
    expect(tuesday?.spans).toEqual([]);
  });

  it('leaves out rules for some callers', () => {
    expect(routeWeek([rule('09:00:00', '17:00:00', ['DE'])])[0]?.spans).toEqual([]);
  });
});
