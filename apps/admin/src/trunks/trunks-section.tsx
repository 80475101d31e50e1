/** The SIP trunks with their state and actions. */
import type { TrunkRecord } from '@parley/contracts';
import { Badge, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { useIsOperator } from '../session/use-is-operator.ts';
import { AddButton } from '../ui/add-button.tsx';
import { AskFirst } from '../ui/ask-first.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { formatClock } from '../ui/format.rules.ts';
import { QueryView } from '../ui/query-view.tsx';
import { RowActions } from '../ui/row-actions.tsx';
import { RowDialog } from '../ui/row-dialog.tsx';
import { RowButton } from '../ui/row-button.tsx';
import { Section } from '../ui/section.tsx';
import { registrationState, trunkAddress, trunkLimits, trunkState } from './trunk-labels.rules.ts';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const TrunkDoctor = later(() => import('./trunk-doctor.tsx'), 'TrunkDoctor');
const TrunkForm = later(() => import('./trunk-form.tsx'), 'TrunkForm');

/** How often the state of the trunks is requested, in ms. */
const RENEWAL_MS = 10_000;

const COLUMNS: readonly Column[] = [
  [texts.trunks.columns.trunk],
  [texts.trunks.columns.state, table['mediumOnly']],
  [texts.trunks.columns.user, table['wideOnly']],
  [texts.trunks.columns.limits, table['wideOnly']],
  [''],
];

function RemoveButton({ trunk }: { trunk: TrunkRecord }): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const remove = async (): Promise<void> => {
    await client.sipTrunks.remove.mutate({ id: trunk.id });
    await refresh('sipTrunks');
  };
  return (
    <AskFirst
      action={texts.remove.action}
      label={texts.remove.label(trunk.name)}
      question={texts.remove.question(trunk.name)}
      text={texts.remove.trunkText}
      keep={texts.remove.keepTrunk}
      testId="trunk-remove"
      run={remove}
    />
  );
}

function Marks({ trunk }: { trunk: TrunkRecord }): ReactNode {
  const marks = [
    trunk.is_test && texts.trunks.test,
    trunk.is_shared && !trunk.is_test && texts.trunks.shared,
  ];
  return marks
    .filter((mark) => mark !== false)
    .map((mark) => (
      <Badge key={mark} variant="default" size="sm" tt="none">
        {mark}
      </Badge>
    ));
}

function Registration({ registration }: Pick<TrunkRecord, 'registration'>): ReactNode {
  if (!registration) return null;
  const { since, state } = registration;
  const { label, reason } = registrationState(registration, since && formatClock(since));
  return (
    <div data-testid="trunk-registration" data-state={state}>
      {label}
      {reason !== null && <div className={table['under']}>{reason}</div>}
    </div>
  );
}

function State({ trunk }: { trunk: TrunkRecord }): ReactNode {
  const { paused_until: until } = trunk.health;
  const { label, reason } = trunkState(trunk, until && formatClock(until));
  return (
    <>
      {label}
      {reason !== null && <div className={table['under']}>{reason}</div>}
      <Registration registration={trunk.registration} />
    </>
  );
}

function TrunkRow({
  trunk,
  onEdit,
}: {
  trunk: TrunkRecord;
  onEdit: (trunk: TrunkRecord) => void;
}): ReactNode {
  const isOperator = useIsOperator();
  const isWritable = !trunk.is_test && (isOperator || !trunk.is_shared);
  return (
    <tr data-testid="trunk-row" data-state={trunk.health.state}>
      <td className={table['wrap']}>
        {trunk.name} <Marks trunk={trunk} />
        <div className={`${table['under']} ${table['anywhere']}`}>{trunkAddress(trunk)}</div>
        <div className={table['narrowOnly']}>
          <State trunk={trunk} />
        </div>
      </td>
      <td className={`${table['wrap']} ${table['mediumOnly']}`}>
        <State trunk={trunk} />
      </td>
      <td className={table['wideOnly']}>{trunk.username ?? '–'}</td>
      <td className={table['wideOnly']}>{trunkLimits(trunk)}</td>
      <td className={table['number']}>
        {isWritable && (
          <RowActions>
            <RowButton
              action={texts.trunks.edit}
              label={texts.trunks.editLabel(trunk.name)}
              testId="trunk-edit"
              onClick={() => onEdit(trunk)}
            />
            <RowDialog
              action={texts.doctor.action}
              title={texts.doctor.label(trunk.name)}
              testId="trunk-diagnose"
              form={() => <TrunkDoctor trunkId={trunk.id} />}
            />
            <RemoveButton trunk={trunk} />
          </RowActions>
        )}
      </td>
    </tr>
  );
}

/** Never empty, because a new installation has the test trunk. */
export function TrunksSection(): ReactNode {
  const trpc = useTRPC();
  const trunks = useQuery({ ...trpc.sipTrunks.list.queryOptions(), refetchInterval: RENEWAL_MS });
  const [editing, setEditing] = useState<TrunkRecord | 'new' | null>(null);
  const close = (): void => setEditing(null);
  const isNew = editing === null || editing === 'new';
  return (
    <Section
      title={texts.trunks.title}
      aside={
        <AddButton label={texts.trunks.add} isSmall testId="new-trunk" onClick={() => setEditing('new')} />
      }
    >
      <Text size="sm" c="dimmed" mb="md">
        {texts.trunks.intro}
      </Text>
      <QueryView query={trunks} pending={<Skeleton h={160} radius="lg" />}>
        {(data) => (
          <DataTable columns={COLUMNS}>
            {data.map((trunk) => (
              <TrunkRow key={trunk.id} trunk={trunk} onEdit={setEditing} />
            ))}
          </DataTable>
        )}
      </QueryView>
      <Dialog title={isNew ? texts.trunks.new : editing.name} isOpen={editing !== null} onClose={close}>
        <TrunkForm {...(!isNew && { trunk: editing })} onDone={close} />
      </Dialog>
    </Section>
  );
}
