/** Stops a campaign, after asking what is to become of the conversations that run. */
import type { CampaignDetail } from '@parley/contracts';
import { Checkbox, Text } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { AskFirst } from '../ui/ask-first.tsx';

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
      action="Stop"
      look={{ color: 'red', leftSection: <IconPlayerStop size={18} stroke={1.6} aria-hidden /> }}
      question="Stop this campaign?"
      keep="Go on calling"
      testId="campaign-stop"
      run={() => stop.mutateAsync({ id: campaign.id, is_hanging_up: isHangingUp })}
    >
      <Text size="sm">
        Nobody is called from now on, and phones that only ring stop ringing. It can be started again later
        and goes on where it was.
      </Text>
      <Checkbox
        mt="md"
        label="Hang up on the conversations that run, too"
        checked={isHangingUp}
        onChange={(event) => setHangingUp(event.currentTarget.checked)}
      />
    </AskFirst>
  );
}
