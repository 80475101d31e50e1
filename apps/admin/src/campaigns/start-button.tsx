/** Starts a campaign after showing its forecast. */
import type { CampaignDetail } from '@parley/contracts';
import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormFailure } from '../ui/form-failure.tsx';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const Forecast = later(() => import('./forecast.tsx'), 'Forecast');

/** Shown while the campaign does not run. */
export function StartButton({ campaign }: { campaign: CampaignDetail }): ReactNode {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [isOpen, dialog] = useDisclosure(false);
  const start = useMutation(
    trpc.campaigns.start.mutationOptions({
      onSuccess: dialog.close,
      onSettled: () => queryClient.invalidateQueries(trpc.campaigns.pathFilter()),
    }),
  );
  if (campaign.status === 'in-progress') return null;
  return (
    <>
      <Button
        leftSection={<IconPlayerPlay size={18} stroke={1.6} aria-hidden />}
        data-testid="campaign-start"
        onClick={dialog.open}
      >
        {texts.start.open}
      </Button>
      <Dialog title={texts.start.question(campaign.name)} isOpen={isOpen} onClose={dialog.close}>
        <Forecast campaign={campaign}>
          {(isPending) => (
            <>
              <FormFailure error={start.error} />
              <Group justify="flex-end">
                <Button variant="default" onClick={dialog.close}>
                  {texts.start.cancel}
                </Button>
                <Button
                  disabled={isPending}
                  loading={start.isPending}
                  data-testid="campaign-start-confirm"
                  onClick={() => start.mutate({ id: campaign.id })}
                >
                  {texts.start.confirm}
                </Button>
              </Group>
            </>
          )}
        </Forecast>
      </Dialog>
    </>
  );
}
