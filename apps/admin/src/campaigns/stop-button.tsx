/** Stops a campaign, after asking whether to end the conversations in progress. */
import type { CampaignDetail } from '@parley/contracts';
import { IconPlayerStop } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { later } from '../ui/later.ts';
import { texts } from './texts.ts';

const Checkbox = later(() => import('../ui/check-box.ts'), 'Checkbox');

/** Only while the campaign runs. */
export function StopButton({ campaign }: { campaign: CampaignDetail }): ReactNode {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [isHangingUp, setHangingUp] = useState(false);
  const stop = useMutation(
    trpc.campaigns.stop.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.campaigns.pathFilter()),
    }),
  );
  if (campaign.status !== 'in-progress') return null;
  return (
    <AskFirst
      action={texts.stop.action}
      look={{ color: 'red', leftSection: <IconPlayerStop size={18} stroke={1.6} aria-hidden /> }}
      question={texts.stop.question}
      text={texts.stop.text}
      keep={texts.stop.keep}
      testId="campaign-stop"
      run={() => stop.mutateAsync({ id: campaign.id, is_hanging_up: isHangingUp })}
    >
      <Checkbox
        mt="md"
        label={texts.stop.hangUp}
        checked={isHangingUp}
        onChange={(event) => setHangingUp(event.currentTarget.checked)}
      />
    </AskFirst>
  );
}
