/** Edits, copies and deletes a campaign. */
import type { CampaignDetail } from '@parley/contracts';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const CampaignForm = later(() => import('./campaign-form.tsx'), 'CampaignForm');

/** Buttons with their dialogs. */
export function CampaignActions({ campaign }: { campaign: CampaignDetail }): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const [opened, setOpened] = useState<'edit' | 'copy' | null>(null);
  const close = (): void => setOpened(null);
  const remove = async (): Promise<void> => {
    await client.campaigns.remove.mutate({ id: campaign.id });
    await navigate({ to: '/campaigns' });
    await refresh('campaigns', 'leads');
  };
  return (
    <>
      <Button variant="default" data-testid="campaign-edit" onClick={() => setOpened('edit')}>
        {texts.actions.edit}
      </Button>
      <Button variant="default" data-testid="campaign-copy" onClick={() => setOpened('copy')}>
        {texts.actions.copy}
      </Button>
      <AskFirst
        action={texts.actions.remove}
        look={{ color: 'red', variant: 'light' }}
        question={texts.actions.question(campaign.name)}
        text={texts.actions.consequence(campaign.progress.leads)}
        keep={texts.actions.keep}
        testId="campaign-remove"
        run={remove}
      />
      <Dialog
        title={opened === 'copy' ? texts.actions.copyTitle : texts.actions.editTitle}
        isOpen={opened !== null}
        isWide
        onClose={close}
      >
        <CampaignForm source={campaign} isCopy={opened === 'copy'} onClose={close} />
      </Dialog>
    </>
  );
}
