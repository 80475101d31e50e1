/** How the calls of a campaign ended: the number of calls by outcome and by disposition, with links to these calls. */
import { callOutcomes, type CampaignDetail } from '@parley/contracts';
import { Anchor, Text } from '@mantine/core';
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

/** The calls of a list of the campaign by disposition, also those without a call yet, and the report of all calls. */
export function CampaignDispositions({ campaign }: { campaign: CampaignDetail }): ReactNode {
  const { dispositions: counted } = campaign.progress;
  const calls = new Map(counted.map((count) => [count.disposition, count.calls]));
  const names = [...new Set([...campaign.dispositions, ...calls.keys()])];
  if (names.length === 0) return null;
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {texts.progress.dispositions}
      </Text>
      <ul
        className={classes['outcomes']}
        aria-label={texts.progress.dispositions}
        data-testid="campaign-dispositions"
      >
        {names.map((disposition) => (
          <li key={disposition}>
            <TextLink to="/calls" search={{ campaign: campaign.id, disposition }} size="sm">
              {disposition}
            </TextLink>
            <span>{(calls.get(disposition) ?? 0).toLocaleString('en')}</span>
          </li>
        ))}
        <li>
          <Anchor
            href={`/call-files/export?campaign_id=${campaign.id}`}
            download
            size="sm"
            data-testid="campaign-report"
          >
            {texts.progress.report}
          </Anchor>
        </li>
      </ul>
    </div>
  );
}
