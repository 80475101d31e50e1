/** Accounts at providers of models, voices and transcription: add, check, edit and remove them. */
import type { ProviderRecord } from '@parley/contracts';
import { Skeleton } from '@mantine/core';
import { IconPlug } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { useIsOperator } from '../session/use-is-operator.ts';
import { AddButton } from '../ui/add-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { isBeingAsked } from './provider-labels.rules.ts';
import { ProvidersTable, type RemoteProvider } from './providers-table.tsx';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const ProviderForm = later(() => import('./provider-form.tsx'), 'ProviderForm');

/** How often the list is reloaded while the lists of a provider are pending, milliseconds. */
const ASKED_MS = 2_000;

function isRemote(provider: ProviderRecord): provider is RemoteProvider {
  return provider.kind !== 'built-in';
}

function NoProviders({ onNew }: { onNew: (() => void) | null }): ReactNode {
  return (
    <EmptyState
      icon={<IconPlug size={24} stroke={1.5} />}
      title={texts.page.empty.title}
      text={texts.page.empty.text}
    >
      {onNew && <AddButton label={texts.page.new} testId="new-provider" onClick={onNew} />}
    </EmptyState>
  );
}

/** The provider in the dialog. */
type Editing = RemoteProvider | 'new' | null;

/** The page at `/providers`. Members may view it; operators may edit it. */
export function ProvidersPage(): ReactNode {
  const trpc = useTRPC();
  const providers = useQuery({
    ...trpc.providers.list.queryOptions(),
    refetchInterval: ({ state }) => (state.data?.some(isBeingAsked) ? ASKED_MS : false),
  });
  const isOperator = useIsOperator();
  const [editing, setEditing] = useState<Editing>(null);
  const remote = providers.data?.filter(isRemote) ?? [];
  const add = (): void => setEditing('new');
  const close = (): void => setEditing(null);
  const isNew = editing === null || editing === 'new';
  return (
    <>
      <PageHeader
        title={texts.page.title}
        subtitle={texts.page.subtitle}
        actions={
          isOperator &&
          remote.length > 0 && <AddButton label={texts.page.new} testId="new-provider" onClick={add} />
        }
      />
      <QueryView query={providers} pending={<Skeleton h={240} radius="lg" />}>
        {() =>
          remote.length === 0 ? (
            <NoProviders onNew={isOperator ? add : null} />
          ) : (
            <ProvidersTable providers={remote} onEdit={isOperator ? setEditing : null} />
          )
        }
      </QueryView>
      <Dialog title={isNew ? texts.page.new : editing.name} isOpen={editing !== null} onClose={close}>
        <ProviderForm {...(!isNew && { provider: editing })} onDone={close} />
      </Dialog>
    </>
  );
}
