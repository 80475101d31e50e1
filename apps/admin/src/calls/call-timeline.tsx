/** The timeline of a call, with reasons. */
import type { CallEvent } from '@parley/contracts';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatClock } from '../ui/format.rules.ts';
import { Section } from '../ui/section.tsx';
import { describeReason } from './call-reason.rules.ts';
import classes from './call-timeline.module.css';
import { describeEntry, filledEntries } from './describe-value.rules.ts';
import { texts } from './texts.ts';

/** Omits empty details, and a reason that repeats the name of the event. */
function worthShowing({ type, detail }: CallEvent): [string, unknown][] {
  return filledEntries(detail).filter(
    ([name, value]) => name !== 'reason' || describeReason(String(value)) !== describeReason(type),
  );
}

function EventDetail({ event }: { event: CallEvent }): ReactNode {
  const entries = worthShowing(event);
  if (entries.length === 0) return null;
  return (
    <div className={classes['detail']}>
      {entries.map(([name, value]) => (
        <div key={name}>
          {name === 'reason' && typeof value === 'string'
            ? describeReason(value)
            : describeEntry(name, value).join(': ')}
        </div>
      ))}
    </div>
  );
}

/** Oldest first. */
export function CallTimeline({ events }: { events: CallEvent[] }): ReactNode {
  return (
    <Section title={texts.timeline.title}>
      {events.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.timeline.empty}
        </Text>
      )}
      <ol className={classes['timeline']} data-testid="call-timeline">
        {events.map((event, index) => (
          // Events are only appended, so the index is a stable key.
          <li key={index} className={classes['event']}>
            <div className={classes['head']}>
              <span className={classes['name']}>{describeReason(event.type)}</span>
              <time dateTime={event.at}>{formatClock(event.at)}</time>
            </div>
            <EventDetail event={event} />
          </li>
        ))}
      </ol>
    </Section>
  );
}
