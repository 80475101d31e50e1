/** The user's API tokens: create, list and revoke them. */
import type { NewTokenRecord, TokenRecord } from '@parley/contracts';
import { Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { AddButton } from '../ui/add-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { MadeToken } from './made-token.tsx';
import { TokensTable } from './tokens-table.tsx';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const TokenForm = later(() => import('./token-form.tsx'), 'TokenForm');

function NoTokens({ onNew }: { onNew: () => void }): ReactNode {
  return (
    <EmptyState
      icon={<IconKey size={24} stroke={1.5} />}
      title={texts.page.empty.title}
      text={texts.page.empty.text}
    >
      <AddButton label={texts.page.new} testId="new-token" onClick={onNew} />
    </EmptyState>
  );
}

/** The page at `/tokens`. */
export function TokensPage(): ReactNode {
  const trpc = useTRPC();
  const tokens = useQuery(trpc.tokens.list.queryOptions());
  const [isOpen, dialog] = useDisclosure(false);
  const [made, setMade] = useState<NewTokenRecord | null>(null);
  const show = (token: NewTokenRecord): void => {
    setMade(token);
    dialog.close();
  };
  const list = (data: readonly TokenRecord[]): ReactNode =>
    data.length === 0 ? <NoTokens onNew={dialog.open} /> : <TokensTable tokens={data} />;
  return (
    <>
      <PageHeader
        title={texts.page.title}
        subtitle={texts.page.subtitle}
        actions={
          tokens.data &&
          tokens.data.length > 0 && (
            <AddButton label={texts.page.new} testId="new-token" onClick={dialog.open} />
          )
        }
      />
      <Stack gap="lg">
        {made && <MadeToken made={made} onDone={() => setMade(null)} />}
        <QueryView query={tokens} pending={<Skeleton h={240} radius="lg" />}>
          {list}
        </QueryView>
      </Stack>
      <Dialog title={texts.page.newTitle} isOpen={isOpen} onClose={dialog.close}>
        <TokenForm onMade={show} onCancel={dialog.close} />
      </Dialog>
    </>
  );
}
