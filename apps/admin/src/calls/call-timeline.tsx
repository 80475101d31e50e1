/** The timeline of a call, with reasons. */
import type { CallEvent } from '@parley/contracts';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatClock } from '../ui/format.rules.ts';
import { Section } from '../ui/section.tsx';
import { describeReason } from './call-reason.rules.ts';
import classes from './call-timeline.module.css';
import { describeDetail, filledEntries } from './describe-value.rules.ts';
import { texts } from './texts.ts';

/** Omits empty details, and a reason that repeats the name of the event. */
function worthShowing({ type, detail }: CallEvent): [string, unknown][] {
  return filledEntries(detail).filter(
    ([name, value]) => name !== 'reason' || describeReason(String(value)) !== describeReason(type),
  );
}

function isGroup(entry: [string, unknown]): entry is [string, object] {
  return typeof entry[1] === 'object' && !Array.isArray(entry[1]);
}

/** What was measured, a line each, behind a button. */
function Groups({ groups }: { groups: readonly [string, object][] }): ReactNode {
  return (
    <details>
      <summary>{texts.timeline.more}</summary>
      {groups.map(([name, values]) => (
        <div key={name} className={classes['group']}>
          {describeReason(name)}
          {filledEntries({ ...values }).map((entry) => (
            <div key={entry[0]} className={classes['part']}>
              {describeDetail(entry)}
            </div>
          ))}
        </div>
      ))}
    </details>
  );
}

function EventDetail({ event }: { event: CallEvent }): ReactNode {
  const entries = worthShowing(event);
  const groups = entries.filter(isGroup);
  if (entries.length === 0) return null;
  return (
    <div className={classes['detail']}>
      {entries
        .filter((entry) => !isGroup(entry))
        .map((entry) => (
          <div key={entry[0]}>{describeDetail(entry)}</div>
        ))}
      {groups.length > 0 && <Groups groups={groups} />}
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
