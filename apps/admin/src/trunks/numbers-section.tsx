/** The phone numbers of the user, with their trunks, assistants and actions. */
import type { OwnNumberRecord, TrunkRecord } from '@parley/contracts';
import { Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { AddButton } from '../ui/add-button.tsx';
import { AskFirst } from '../ui/ask-first.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { RowActions } from '../ui/row-actions.tsx';
import { RowButton } from '../ui/row-button.tsx';
import { Section } from '../ui/section.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const NumberAssistants = later(() => import('./number-assistants.tsx'), 'NumberAssistants');
const NumberForm = later(() => import('./number-form.tsx'), 'NumberForm');
const NumberRoute = later(() => import('./route-form.tsx'), 'NumberRoute');

const COLUMNS: readonly Column[] = [
  [texts.numbers.columns.number],
  [texts.numbers.columns.assistants],
  [texts.numbers.columns.type, table['mediumOnly']],
  [texts.numbers.columns.trunk, table['mediumOnly']],
  [''],
];

function RemoveButton({ number }: { number: OwnNumberRecord }): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const remove = async (): Promise<void> => {
    await client.phoneNumbers.remove.mutate({ id: number.id });
    await refresh('phoneNumbers', 'lookups');
  };
  return (
    <AskFirst
      action={texts.remove.action}
      label={texts.remove.label(number.phone_number)}
      question={texts.remove.question(number.phone_number)}
      text={texts.remove.numberText}
      keep={texts.remove.keepNumber}
      testId="number-remove"
      run={remove}
    />
  );
}

interface NumberRowProps {
  number: OwnNumberRecord;
  trunk: TrunkRecord | undefined;
  onAssign: (number: OwnNumberRecord) => void;
  onRoute: (number: OwnNumberRecord) => void;
}

function NumberRow({ number, trunk, onAssign, onRoute }: NumberRowProps): ReactNode {
  const names = number.assistants.map(({ name }) => name).join(', ');
  return (
    <tr data-testid="number-row">
      <td>
        <PhoneNumber number={number.phone_number} />
      </td>
      <td className={table['wrap']}>{names || '–'}</td>
      <td className={table['mediumOnly']}>{number.type_label}</td>
      <td className={`${table['mediumOnly']} ${table['wrap']}`}>{trunk?.name ?? '–'}</td>
      <td className={table['number']}>
        <RowActions>
          <RowButton
            action={texts.numbers.assign}
            label={texts.numbers.assignLabel(number.phone_number)}
            testId="number-assign"
            onClick={() => onAssign(number)}
          />
          {number.type_label !== 'Caller ID' && (
            <RowButton
              action={texts.route.action}
              label={texts.route.label(number.phone_number)}
              testId="number-route"
              onClick={() => onRoute(number)}
            />
          )}
          <RemoveButton number={number} />
        </RowActions>
      </td>
    </tr>
  );
}

interface NumbersProps {
  numbers: readonly OwnNumberRecord[];
  trunks: readonly TrunkRecord[];
}

function Numbers({ numbers, trunks }: NumbersProps): ReactNode {
  const [assignedId, setAssignedId] = useState<number | null>(null);
  const [routedId, setRoutedId] = useState<number | null>(null);
  const routed = numbers.find(({ id }) => id === routedId);
  const assigned = numbers.find(({ id }) => id === assignedId);
  if (numbers.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {texts.numbers.empty}
      </Text>
    );
  return (
    <>
      <DataTable columns={COLUMNS}>
        {numbers.map((number) => (
          <NumberRow
            key={number.id}
            number={number}
            trunk={trunks.find(({ id }) => id === number.sip_trunk_id)}
            onAssign={({ id }) => setAssignedId(id)}
            onRoute={({ id }) => setRoutedId(id)}
          />
        ))}
      </DataTable>
      <Dialog
        title={assigned?.phone_number ?? ''}
        isOpen={assigned !== undefined}
        onClose={() => setAssignedId(null)}
      >
        {assigned && <NumberAssistants number={assigned} />}
      </Dialog>
      <Dialog
        title={texts.route.title(routed?.phone_number ?? '')}
        isOpen={routed !== undefined}
        isWide
        onClose={() => setRoutedId(null)}
      >
        {routed && <NumberRoute number={routed} onDone={() => setRoutedId(null)} />}
      </Dialog>
    </>
  );
}

/** Changes by other users appear on the next visit of the page. */
export function NumbersSection(): ReactNode {
  const trpc = useTRPC();
  const numbers = useQuery(trpc.phoneNumbers.list.queryOptions());
  const trunks = useQuery(trpc.sipTrunks.list.queryOptions()).data ?? [];
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <Section
      title={texts.numbers.title}
      aside={<AddButton label={texts.numbers.add} isSmall testId="new-number" onClick={dialog.open} />}
    >
      <QueryView query={numbers} pending={<Skeleton h={120} radius="lg" />}>
        {(data) => <Numbers numbers={data} trunks={trunks} />}
      </QueryView>
      <Dialog title={texts.numbers.new} isOpen={isOpen} onClose={dialog.close}>
        <NumberForm trunks={trunks} onDone={dialog.close} />
      </Dialog>
    </Section>
  );
}
