/** The calling hours of a campaign as a picture of the week. */
import type { CampaignDetail } from '@parley/contracts';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../ui/section.tsx';
import { callingHours } from './campaign-labels.rules.ts';
import { DayScale } from './day-scale.tsx';
import { texts } from './texts.ts';
import classes from './week-hours.module.css';
import { weekSpans } from './week-spans.rules.ts';

const MINUTES_OF_DAY = 1440;

const percentOf = (minutes: number): string => `${(minutes / MINUTES_OF_DAY) * 100}%`;

/** A row for each day from midnight to midnight. */
export function WeekHours({ campaign }: { campaign: CampaignDetail }): ReactNode {
  return (
    <Section title={texts.week.title}>
      <div
        className={classes['week']}
        role="img"
        aria-label={callingHours(campaign)}
        data-testid="week-hours"
      >
        {weekSpans(campaign).map(({ label, spans }) => (
          <div key={label} className={classes['day']}>
            <span>{label}</span>
            <div className={classes['track']}>
              {spans.map(({ from, until }) => (
                <div
                  key={from}
                  className={classes['span']}
                  style={{ left: percentOf(from), width: percentOf(until - from) }}
                />
              ))}
            </div>
          </div>
        ))}
        <DayScale />
      </div>
      <Text size="xs" c="dimmed" mt="xs">
        {texts.week.zone(campaign.timezone)}
      </Text>
    </Section>
  );
}
