/** The figures of a period; each leads to the calls behind it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CallSearch } from '../calls/call-search.rules.ts';
import { useTRPC } from '../client/admin-client.ts';
import { useAmounts } from '../session/use-amounts.ts';
import { formatDuration } from '../ui/format.rules.ts';
import classes from './figures.module.css';
import { percentOf, type Sums, sumsByOutcome, sumOf } from './overview-figures.rules.ts';
import type { CallsOfDay } from '@parley/contracts';
import { texts } from './texts.ts';

function Figure({ name, value, search }: { name: string; value: string; search: CallSearch }): ReactNode {
  return (
    <Link to="/calls" search={search} className={classes['figure'] ?? ''} data-testid="figure">
      <div className={classes['name']}>{name}</div>
      <div className={classes['value']}>{value}</div>
    </Link>
  );
}

function answerRate({ answered, outbound }: Sums): string {
  const percent = percentOf(answered, outbound);
  return percent === null ? texts.figures.none : texts.chart.share(percent);
}

/** Calls in progress are read from the list of calls, which the live connection renews. */
function useLiveCalls(): number | undefined {
  return useQuery(useTRPC().calls.list.queryOptions({ status: 'in-progress', page: 1, per_page: 1 })).data
    ?.total;
}

/** `from` and `until` are the first and the last day. */
export function Figures({
  from,
  until,
  days,
}: {
  from: string;
  until: string;
  days: readonly CallsOfDay[];
}): ReactNode {
  const live = useLiveCalls();
  const { format } = useAmounts();
  const sums = sumOf(days);
  const faults = sumsByOutcome(days).find(({ outcome }) => outcome === 'our_fault')?.sums.calls ?? 0;
  const period = { from, until };
  return (
    <div className={classes['figures']}>
      <Figure
        name={texts.figures.live}
        value={live?.toLocaleString('en') ?? texts.figures.none}
        search={{ status: 'in-progress' }}
      />
      <Figure name={texts.figures.calls} value={sums.calls.toLocaleString('en')} search={period} />
      <Figure
        name={texts.figures.answered}
        value={answerRate(sums)}
        search={{ ...period, type: 'outbound' }}
      />
      <Figure
        name={texts.figures.talkTime}
        value={formatDuration(sums.talk_seconds)}
        search={{ ...period, outcome: 'talked' }}
      />
      <Figure name={texts.figures.cost} value={format(sums.cost)} search={period} />
      <Figure
        name={texts.figures.faults}
        value={faults.toLocaleString('en')}
        search={{ ...period, outcome: 'our_fault' }}
      />
    </div>
  );
}
