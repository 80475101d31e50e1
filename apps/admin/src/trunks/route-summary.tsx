/** The route of a number in sentences, and as a picture of the week in the colors of its rules. */
import type { AssistantRecord, InboundRouteRecord } from '@parley/contracts';
import { List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DayScale } from '../campaigns/day-scale.tsx';
import week from '../campaigns/week-hours.module.css';
import { routeSentences } from './route-labels.rules.ts';
import classes from './route-summary.module.css';
import { routeWeek } from './route-week.rules.ts';
import { texts } from './texts.ts';

const MINUTES_OF_DAY = 1440;
const COLORS = ['blue', 'teal', 'grape', 'orange', 'pink', 'lime'];

const percentOf = (minutes: number): string => `${(minutes / MINUTES_OF_DAY) * 100}%`;
/** The colors repeat. Times outside of all rules have the color of the track. */
const colorOf = (rule: number): string =>
  `var(--mantine-color-${COLORS[rule % COLORS.length] ?? 'blue'}-filled)`;
const REST = 'var(--parley-hover)';

interface RouteSummaryProps {
  route: InboundRouteRecord;
  assistants: readonly AssistantRecord[];
}

/** The sentences name the colors' meaning in the order of the rules. */
export function RouteSummary({ route, assistants }: RouteSummaryProps): ReactNode {
  const names = new Map(assistants.map(({ id, name }) => [id, name]));
  const sentences = routeSentences(route, names);
  return (
    <Stack gap="xs" data-testid="route-summary">
      <List size="sm" listStyleType="none">
        {sentences.map((sentence, place) => (
          <List.Item
            key={sentence}
            icon={
              <div
                className={classes['mark']}
                style={{ background: place < route.rules.length ? colorOf(place) : REST }}
                aria-hidden
              />
            }
          >
            {sentence}
          </List.Item>
        ))}
      </List>
      <div className={week['week']} role="img" aria-label={sentences.join('. ')} data-testid="route-week">
        {routeWeek(route.rules).map(({ label, spans }) => (
          <div key={label} className={week['day']}>
            <span>{label}</span>
            <div className={week['track']}>
              {spans.map(({ from, until, rule }) => (
                <div
                  key={from}
                  className={week['span']}
                  style={{ left: percentOf(from), width: percentOf(until - from), background: colorOf(rule) }}
                />
              ))}
            </div>
          </div>
        ))}
        <DayScale />
      </div>
      <Text size="xs" c="dimmed">
        {texts.route.caption(route.timezone)}
      </Text>
    </Stack>
  );
}
