/** The way of the leads of a campaign, from the list to the goal. */
import type { CampaignDetail } from '@parley/contracts';
import type { ReactNode } from 'react';
import { Section } from '../ui/section.tsx';
import classes from './campaign-funnel.module.css';
import { funnelSteps } from './campaign-funnel.rules.ts';
import { texts } from './texts.ts';

/** Nothing without leads. */
export function CampaignFunnel({ campaign }: { campaign: CampaignDetail }): ReactNode {
  if (campaign.progress.leads === 0) return null;
  return (
    <Section title={texts.funnel.title}>
      <ul className={classes['steps']} data-testid="campaign-funnel">
        {funnelSteps(campaign).map(({ step, count, percent }) => (
          <li key={step} data-step={step}>
            <span>{texts.funnel.steps[step]}</span>
            <span className={classes['track']} aria-hidden="true">
              <span data-none={count === 0} style={{ width: `${Math.min(100, percent)}%` }} />
            </span>
            <span className={classes['count']}>{count.toLocaleString('en')}</span>
            <span className={classes['percent']}>{texts.funnel.percent(Math.round(percent))}</span>
          </li>
        ))}
      </ul>
      <p className={classes['note']}>{texts.funnel.note}</p>
    </Section>
  );
}
