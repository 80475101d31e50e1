/** The assistants of a number: assigns it and releases it. */
import type { AssistantRecord, OwnNumberRecord } from '@parley/contracts';
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { texts as assistantTexts } from '../assistants/texts.ts';
import { FormFailure } from '../ui/form-failure.tsx';
import { TextLink } from '../ui/link-button.tsx';
import { assignable } from './number-labels.rules.ts';
import { texts } from './texts.ts';

/** Writes the assistant; the numbers and the lists that forms offer follow. */
function useAssign() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  return useMutation(
    trpc.assistants.update.mutationOptions({
      onSuccess: () => refresh('phoneNumbers', 'assistants', 'lookups'),
    }),
  );
}

type Assign = ReturnType<typeof useAssign>;

function Holders({ number, assign }: { number: OwnNumberRecord; assign: Assign }): ReactNode {
  if (number.assistants.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {texts.assign.none}
      </Text>
    );
  return number.assistants.map(({ id, name }) => (
    <Group key={id} justify="space-between">
      <TextLink to="/assistants/$assistantId" params={{ assistantId: id }} size="sm">
        {name}
      </TextLink>
      <Button
        size="xs"
        variant="default"
        aria-label={texts.assign.removeLabel(name)}
        disabled={assign.isPending}
        data-testid="number-take"
        onClick={() => assign.mutate({ id, changes: { phone_number_id: null } })}
      >
        {texts.assign.remove}
      </Button>
    </Group>
  ));
}

interface GiveProps {
  number: OwnNumberRecord;
  choices: readonly AssistantRecord[];
  assign: Assign;
}

function Give({ number, choices, assign }: GiveProps): ReactNode {
  const [chosen, setChosen] = useState('');
  const isThere = choices.some(({ id }) => String(id) === chosen);
  return (
    <Group align="flex-end" wrap="nowrap">
      <NativeSelect
        label={texts.assign.label}
        flex={1}
        value={isThere ? chosen : ''}
        data={[
          { value: '', label: texts.assign.choose },
          ...choices.map(({ id, name, type }) => ({
            value: String(id),
            label: texts.assign.choice(name, assistantTexts.directions[type].toLowerCase()),
          })),
        ]}
        data-testid="number-assistant"
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <Button
        disabled={!isThere}
        loading={assign.isPending}
        data-testid="number-give"
        onClick={() => assign.mutate({ id: Number(chosen), changes: { phone_number_id: number.id } })}
      >
        {texts.assign.action}
      </Button>
    </Group>
  );
}

/** An assistant has one number: a new one replaces the old one. */
export function NumberAssistants({ number }: { number: OwnNumberRecord }): ReactNode {
  const trpc = useTRPC();
  const assistants = useQuery(trpc.assistants.list.queryOptions()).data ?? [];
  const assign = useAssign();
  return (
    <Stack gap="md">
      <FormFailure error={assign.error} fields={[]} />
      <Holders number={number} assign={assign} />
      <Give number={number} choices={assignable(number, assistants)} assign={assign} />
      <Text size="xs" c="dimmed">
        {texts.assign.hint}
      </Text>
    </Stack>
  );
}
