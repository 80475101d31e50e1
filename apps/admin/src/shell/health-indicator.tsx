/** Shows whether the installation can place calls. It leads to the overview, which says what is wrong. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ALONE, useTRPC } from '../client/admin-client.ts';
import { readRequestError } from '../client/request-error.ts';
import { HEALTH_RENEWAL_MS, type HealthState, healthState } from '../overview/health.rules.ts';
import classes from './live-indicator.module.css';
import { texts } from './texts.ts';

const DOTS: Record<HealthState, string> = { good: 'live', bad: 'broken', unknown: 'connecting' };

/** A dot and a word. */
export function HealthIndicator(): ReactNode {
  const health = useQuery({
    ...useTRPC().overview.health.queryOptions(undefined, ALONE),
    refetchInterval: HEALTH_RENEWAL_MS,
  });
  const state = healthState(health.data, health.error && readRequestError(health.error).kind);
  return (
    <Link to="/overview" className={classes['link'] ?? ''}>
      <span
        className={classes['indicator']}
        data-status={DOTS[state]}
        data-testid="health-indicator"
        data-health={state}
      >
        <span className={classes['dot']} aria-hidden="true" />
        {texts.health[state]}
      </span>
    </Link>
  );
}
