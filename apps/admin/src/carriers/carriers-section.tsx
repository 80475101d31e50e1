/** The carrier accounts with their state and actions. */
import type { CarrierAccountRecord } from '@parley/contracts';
import { Badge, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { useIsOperator } from '../session/use-is-operator.ts';
import { AddButton } from '../ui/add-button.tsx';
import { AskFirst } from '../ui/ask-first.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { RowActions } from '../ui/row-actions.tsx';
import { RowDialog } from '../ui/row-dialog.tsx';
import { Section } from '../ui/section.tsx';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const AccountForm = later(() => import('./account-form.tsx'), 'AccountForm');
const BuyNumber = later(() => import('./buy-number.tsx'), 'BuyNumber');
const ConnectForm = later(() => import('./connect-form.tsx'), 'ConnectForm');
const ImportForm = later(() => import('./import-form.tsx'), 'ImportForm');

const COLUMNS: readonly Column[] = [
  [texts.columns.account],
  [texts.columns.state, table['mediumOnly']],
  [''],
];

function RemoveButton({ account }: { account: CarrierAccountRecord }): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const remove = async (): Promise<void> => {
    await client.carrierAccounts.remove.mutate({ id: account.id });
    await refresh('carrierAccounts');
  };
  return (
    <AskFirst
      action={texts.remove.action}
      label={texts.remove.label(account.name)}
      question={texts.remove.question(account.name)}
      text={texts.remove.text}
      keep={texts.remove.keep}
      testId="carrier-remove"
      run={remove}
    />
  );
}

function Actions({ account }: { account: CarrierAccountRecord }): ReactNode {
  return (
    <RowActions>
      {account.is_connected ? (
        <>
          <RowDialog
            action={texts.buy.action}
            title={texts.buy.title(account.name)}
            testId="carrier-buy-number"
            form={(onDone) => <BuyNumber account={account} onDone={onDone} />}
          />
          <RowDialog
            action={texts.import.action}
            title={texts.import.title(account.name)}
            testId="carrier-import"
            form={(onDone) => <ImportForm account={account} onDone={onDone} />}
          />
          {account.kind === 'twilio' && (
            <RowDialog
              action={texts.connect.change}
              title={texts.connect.changeTitle(account.name)}
              testId="carrier-change-connection"
              form={(onDone) => <ConnectForm account={account} onDone={onDone} />}
            />
          )}
        </>
      ) : (
        <RowDialog
          action={texts.connect.action}
          title={texts.connect.title(account.name)}
          testId="carrier-connect"
          form={(onDone) => <ConnectForm account={account} onDone={onDone} />}
        />
      )}
      <RowDialog
        action={texts.form.edit}
        title={texts.form.editTitle(account.name)}
        testId="carrier-edit"
        form={(onDone) => <AccountForm account={account} onDone={onDone} />}
      />
      <RemoveButton account={account} />
    </RowActions>
  );
}

function AccountRow({ account }: { account: CarrierAccountRecord }): ReactNode {
  const isWritable = useIsOperator() || !account.is_shared;
  return (
    <tr data-testid="carrier-row">
      <td className={table['wrap']}>
        {account.name}{' '}
        {account.is_shared && (
          <Badge variant="default" size="sm" tt="none">
            {texts.shared}
          </Badge>
        )}
        <div className={table['under']}>{texts.kinds[account.kind]}</div>
      </td>
      <td className={table['mediumOnly']}>
        {texts.state[account.inbound_calls ?? 'unconnected']}
        {account.outbound_calls === 'media_stream' && texts.outboundStreams}
      </td>
      <td className={table['number']}>{isWritable && <Actions account={account} />}</td>
    </tr>
  );
}

/** Without accounts only the introduction is shown. */
export function CarriersSection(): ReactNode {
  const accounts = useQuery(useTRPC().carrierAccounts.list.queryOptions());
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <Section
      title={texts.title}
      aside={<AddButton label={texts.add} isSmall testId="new-carrier" onClick={dialog.open} />}
    >
      <Text size="sm" c="dimmed" mb={accounts.data?.length === 0 ? 0 : 'md'}>
        {texts.intro}
      </Text>
      <QueryView query={accounts} pending={<Skeleton h={60} radius="lg" />}>
        {(data) =>
          data.length === 0 ? null : (
            <DataTable columns={COLUMNS}>
              {data.map((account) => (
                <AccountRow key={account.id} account={account} />
              ))}
            </DataTable>
          )
        }
      </QueryView>
      <Dialog title={texts.new} isOpen={isOpen} onClose={dialog.close}>
        <AccountForm account={null} onDone={dialog.close} />
      </Dialog>
    </Section>
  );
}
