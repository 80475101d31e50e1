/** The accounts at providers as a table, with what can be done about each. */
import type { ProviderRecord } from '@parley/contracts';
import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { readRequestError } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { formatInstant } from '../ui/format.rules.ts';
import { RowActions } from '../ui/row-actions.tsx';
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
  const trpc = useTRPC();
  const refresh = useRefresh();
  const remove = useMutation(
    trpc.providers.remove.mutationOptions({
      onSuccess: () => refresh('providers', 'lookups'),
    }),
  );
  return (
    <AskFirst
      action={texts.remove.action}
      label={texts.remove.label(provider.name)}
      look={{ size: 'xs', variant: 'default' }}
      question={texts.remove.question(provider.name)}
      keep={texts.remove.keep}
      testId="provider-remove"
      run={() => remove.mutateAsync({ id: provider.id })}
    >
      <Text size="sm">{texts.remove.text(offersLabel(provider))}</Text>
    </AskFirst>
  );
}

interface ProviderRowProps {
  provider: RemoteProvider;
  /** Null: the user may only look. */
  onEdit: ((provider: RemoteProvider) => void) | null;
}

/** What the account's own note says, or what the check that was just made found. */
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
            <Button
              size="xs"
              variant="default"
              aria-label={texts.table.checkLabel(name)}
              loading={check.isPending}
              data-testid="provider-check"
              onClick={() => check.mutate({ id: provider.id })}
            >
              {texts.table.check}
            </Button>
            <Button
              size="xs"
              variant="default"
              aria-label={texts.table.editLabel(name)}
              data-testid="provider-edit"
              onClick={() => onEdit(provider)}
            >
              {texts.table.edit}
            </Button>
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
