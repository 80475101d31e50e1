/** The accounts at providers as a table, with their actions. */
import type { ProviderRecord } from '@parley/contracts';
import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { readRequestError } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { formatInstant } from '../ui/format.rules.ts';
import { RowActions } from '../ui/row-actions.tsx';
import { RowButton } from '../ui/row-button.tsx';
import { checkResult, isBeingAsked, kindLabel, offersLabel } from './provider-labels.rules.ts';
import { texts } from './texts.ts';

/** An account that a user added. */
export type RemoteProvider = ProviderRecord & { kind: Exclude<ProviderRecord['kind'], 'built-in'> };

const COLUMNS: readonly Column[] = [
  [texts.table.columns.name],
  [texts.table.columns.address, table['wideOnly']],
  [texts.table.columns.key, table['mediumOnly']],
  [texts.table.columns.offers, table['mediumOnly']],
  [''],
];

function useCheck() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  return useMutation(
    trpc.providers.check.mutationOptions({
      onSettled: () => refresh('providers', 'lookups'),
    }),
  );
}

function RemoveButton({ provider }: { provider: RemoteProvider }): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const remove = async (): Promise<void> => {
    await client.providers.remove.mutate({ id: provider.id });
    await refresh('providers', 'lookups');
  };
  return (
    <AskFirst
      action={texts.remove.action}
      label={texts.remove.label(provider.name)}
      question={texts.remove.question(provider.name)}
      text={texts.remove.text(offersLabel(provider))}
      keep={texts.remove.keep}
      testId="provider-remove"
      run={remove}
    />
  );
}

interface ProviderRowProps {
  provider: RemoteProvider;
  /** Null: read-only. */
  onEdit: ((provider: RemoteProvider) => void) | null;
}

/** The note of the account, or the result of the latest check. */
function ProviderNote({
  note,
  check,
}: {
  note: string | null;
  check: ReturnType<typeof useCheck>;
}): ReactNode {
  if (check.isError)
    return (
      <Text size="xs" c="var(--mantine-color-error)" role="alert">
        {readRequestError(check.error).message}
      </Text>
    );
  const said = check.data ? checkResult(check.data) : note;
  return said === null ? null : (
    <div className={table['under']} role={check.data ? 'status' : undefined} data-testid="provider-note">
      {said}
    </div>
  );
}

function ProviderRow({ provider, onEdit }: ProviderRowProps): ReactNode {
  const check = useCheck();
  const { name, refreshed_at: refreshedAt } = provider;
  return (
    <tr data-testid="provider-row">
      <td className={table['wrap']}>
        {name}
        <div className={table['under']}>{kindLabel(provider.kind)}</div>
        <ProviderNote note={provider.note} check={check} />
      </td>
      <td className={`${table['wideOnly']} ${table['wrap']}`}>{provider.base_url ?? '–'}</td>
      <td className={table['mediumOnly']}>{provider.has_api_key ? texts.table.hasKey : texts.table.noKey}</td>
      <td className={table['mediumOnly']}>
        {isBeingAsked(provider) ? texts.table.asking : offersLabel(provider)}
        {refreshedAt !== null && (
          <div className={table['under']}>{texts.table.asOf(formatInstant(refreshedAt))}</div>
        )}
      </td>
      <td className={table['number']}>
        {onEdit && (
          <RowActions>
            <RowButton
              action={texts.table.check}
              label={texts.table.checkLabel(name)}
              testId="provider-check"
              isPending={check.isPending}
              onClick={() => check.mutate({ id: provider.id })}
            />
            <RowButton
              action={texts.table.edit}
              label={texts.table.editLabel(name)}
              testId="provider-edit"
              onClick={() => onEdit(provider)}
            />
            <RemoveButton provider={provider} />
          </RowActions>
        )}
      </td>
    </tr>
  );
}

interface ProvidersTableProps extends Pick<ProviderRowProps, 'onEdit'> {
  providers: readonly RemoteProvider[];
}

/** In the order of creation. */
export function ProvidersTable({ providers, onEdit }: ProvidersTableProps): ReactNode {
  return (
    <DataTable columns={COLUMNS}>
      {providers.map((provider) => (
        <ProviderRow key={provider.id} provider={provider} onEdit={onEdit} />
      ))}
    </DataTable>
  );
}
