/** The user's API tokens: create, list and revoke them. */
import type { NewTokenRecord, TokenRecord } from '@parley/contracts';
import { Button, Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { MadeToken } from './made-token.tsx';
import { TokenForm } from './token-form.tsx';
import { TokensTable } from './tokens-table.tsx';
import { texts } from './texts.ts';

function NewTokenButton({ onClick }: { onClick: () => void }): ReactNode {
  return (
    <Button
      leftSection={<IconPlus size={18} stroke={1.8} aria-hidden />}
      data-testid="new-token"
      onClick={onClick}
    >
      {texts.page.new}
    </Button>
  );
}

function NoTokens({ onNew }: { onNew: () => void }): ReactNode {
  return (
    <EmptyState
      icon={<IconKey size={24} stroke={1.5} />}
      title={texts.page.empty.title}
      text={texts.page.empty.text}
    >
      <NewTokenButton onClick={onNew} />
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
        actions={tokens.data && tokens.data.length > 0 && <NewTokenButton onClick={dialog.open} />}
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
