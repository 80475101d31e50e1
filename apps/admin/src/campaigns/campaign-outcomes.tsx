/** How the calls of a campaign ended: the number of calls by outcome, with links to these calls. */
import { callOutcomes, type CampaignDetail } from '@parley/contracts';
import type { ReactNode } from 'react';
import { OutcomeDot } from '../calls/outcome-pill.tsx';
import { texts as callTexts } from '../calls/texts.ts';
import { TextLink } from '../ui/link-button.tsx';
import classes from './campaign-outcomes.module.css';
import { texts } from './texts.ts';

/** Nothing before the first call has ended. */
export function CampaignOutcomes({ campaign }: { campaign: CampaignDetail }): ReactNode {
  const { outcomes } = campaign.progress;
  const found = callOutcomes.filter((outcome) => outcomes[outcome] !== undefined);
  if (found.length === 0) return null;
  return (
    <ul className={classes['outcomes']} aria-label={texts.progress.outcomes} data-testid="campaign-outcomes">
      {found.map((outcome) => (
        <li key={outcome}>
          <OutcomeDot outcome={outcome} />
          <TextLink to="/calls" search={{ campaign: campaign.id, outcome }} size="sm">
            {callTexts.outcomes[outcome]}
          </TextLink>
          <span>{outcomes[outcome]?.toLocaleString('en')}</span>
        </li>
      ))}
    </ul>
  );
}
