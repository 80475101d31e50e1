/** The users of the installation: list, invite, change of roles. For operators. */
import { Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { AddButton } from '../ui/add-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { type NewLink, ShownLink } from './shown-link.tsx';
import { texts } from './texts.ts';
import { UsersTable } from './users-table.tsx';
import { later } from '../ui/later.ts';

const InviteForm = later(() => import('./invite-form.tsx'), 'InviteForm');

/** The page at `/users`. */
export function UsersPage(): ReactNode {
  const trpc = useTRPC();
  const users = useQuery(trpc.users.list.queryOptions());
  const [isOpen, dialog] = useDisclosure(false);
  const [made, setMade] = useState<NewLink | null>(null);
  const show = (link: NewLink): void => {
    setMade(link);
    dialog.close();
  };
  return (
    <>
      <PageHeader
        title={texts.page.title}
        subtitle={texts.page.subtitle}
        actions={<AddButton label={texts.page.invite} testId="new-user" onClick={dialog.open} />}
      />
      <Stack gap="lg">
        {made && <ShownLink made={made} onDone={() => setMade(null)} />}
        <QueryView query={users} pending={<Skeleton h={240} radius="lg" />}>
          {(data) => <UsersTable users={data} onLink={show} />}
        </QueryView>
      </Stack>
      <Dialog title={texts.page.invite} isOpen={isOpen} onClose={dialog.close}>
        <InviteForm onMade={show} onCancel={dialog.close} />
      </Dialog>
    </>
  );
}
