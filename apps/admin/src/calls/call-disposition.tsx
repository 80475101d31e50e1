/** The disposition of a call of a campaign, and the choice of another one. The server decides what the list allows. */
import type { CallDetail } from '@parley/contracts';
import { NativeSelect, Text } from '@mantine/core';
import { skipToken, useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { readRequestError } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { Section } from '../ui/section.tsx';
import { texts } from './texts.ts';

function useSetDisposition(callId: number) {
  const client = useTRPCClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (disposition: string | null) =>
      client.calls.setDisposition.mutate({ id: callId, disposition }),
    onSettled: () => refresh('calls', 'campaigns'),
  });
}

/** Nothing for a call without a disposition whose campaign has no list. */
export function CallDisposition({ call }: { call: CallDetail }): ReactNode {
  const trpc = useTRPC();
  const { campaign_id: id, disposition, disposition_source: source } = call;
  const campaign = useQuery(trpc.campaigns.get.queryOptions(id === null ? skipToken : { id })).data;
  const save = useSetDisposition(call.id);
  const listed = campaign?.dispositions ?? [];
  // One that was removed from the list of the campaign is shown until another one is chosen.
  const names = disposition === null || listed.includes(disposition) ? listed : [...listed, disposition];
  if (names.length === 0) return null;
  return (
    <Section title={texts.disposition.label}>
      <NativeSelect
        aria-label={texts.disposition.label}
        value={(save.isPending ? save.variables : disposition) ?? ''}
        disabled={save.isPending}
        data={[
          { value: '', label: texts.disposition.none },
          ...names.map((name) => ({ value: name, label: name })),
        ]}
        error={save.error && readRequestError(save.error).message}
        data-testid="call-disposition"
        onChange={({ currentTarget }) => save.mutate(currentTarget.value || null)}
      />
      <Text size="xs" c="dimmed" mt={6} role="status">
        {source === null ? texts.disposition.unset : texts.disposition.source[source]}
      </Text>
    </Section>
  );
}
