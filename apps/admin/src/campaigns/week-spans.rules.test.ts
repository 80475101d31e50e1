import { expect, it } from 'vitest';
import { weekSpans } from './week-spans.rules.ts';

const spans = (from: string, until: string): unknown[] =>
  weekSpans({
    allowed_days: ['monday', 'sunday'],
    allowed_hours_start_time: from,
    allowed_hours_end_time: until,
  }).map((day) => day.spans.map((span) => [span.from, span.until]));

it.each([
  ['within a day', '09:00:00', '17:30:00', [[[540, 1050]], [], [[540, 1050]]]],
  [
    'until the last minute, which means midnight',
    '18:00:00',
    '23:59:00',
    [[[1080, 1440]], [], [[1080, 1440]]],
  ],
  [
    'across midnight',
    '22:00:00',
    '02:00:00',
    [
      [
        [0, 120],
        [1320, 1440],
      ],
      [[0, 120]],
      [[1320, 1440]],
    ],
  ],
  ['the whole day', '00:00:00', '00:00:00', [[[0, 1440]], [], [[0, 1440]]]],
  [
    'a whole day from noon',
    '12:00:00',
    '12:00:00',
    [
      [
        [0, 720],
        [720, 1440],
      ],
      [[0, 720]],
      [[720, 1440]],
    ],
  ],
])('hours %s', (_, from, until, [monday, tuesday, sunday]) => {
  const week = spans(from, until);
  expect([week[0], week[1], week[2], week[6]]).toEqual([monday, tuesday, [], sunday]);
});
