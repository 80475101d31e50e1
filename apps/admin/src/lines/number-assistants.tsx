/** Which assistants have a number: gives it to one, takes it from one. */
import type { AssistantRecord, OwnNumberRecord } from '@parley/contracts';
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { directionLabel } from '../assistants/assistant-words.rules.ts';
import { FormFailure } from '../ui/form-failure.tsx';
import { TextLink } from '../ui/link-button.tsx';
import { assignable } from './number-words.rules.ts';

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
        No assistant has it yet.
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
        aria-label={`Take it away from ${name}`}
        disabled={assign.isPending}
        data-testid="number-take"
        onClick={() => assign.mutate({ id, changes: { phone_number_id: null } })}
      >
        Take it away
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
        label="Give it to"
        flex={1}
        value={isThere ? chosen : ''}
        data={[
          { value: '', label: 'Choose an assistant' },
          ...choices.map(({ id, name, type }) => ({
            value: String(id),
            label: `${name} (${directionLabel(type).toLowerCase()} calls)`,
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
        Give
      </Button>
    </Group>
  );
}

/** An assistant has one number: a new one takes the place of the old. */
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
        An assistant has one number. One that receives calls answers it; one that makes calls shows it.
      </Text>
    </Stack>
  );
}
