/** The webhook endpoints of the user: create, change, test and delete them. */
import { Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { AddButton } from '../ui/add-button.tsx';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { Section } from '../ui/section.tsx';
import { EndpointRow } from './endpoint-row.tsx';
import { MadeSecret } from './made-secret.tsx';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const EndpointForm = later(() => import('./endpoint-form.tsx'), 'EndpointForm');

const COLUMNS: readonly Column[] = [
  [texts.endpoints.columns.address],
  [texts.endpoints.columns.events, table['mediumOnly']],
  [''],
];

/** The section of the page. */
export function EndpointsSection(): ReactNode {
  const endpoints = useQuery(useTRPC().webhookEndpoints.list.queryOptions());
  const [isOpen, dialog] = useDisclosure(false);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Section
      title={texts.endpoints.title}
      aside={<AddButton label={texts.endpoints.add} isSmall testId="new-endpoint" onClick={dialog.open} />}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {texts.endpoints.text}
        </Text>
        {secret !== null && <MadeSecret secret={secret} onDone={() => setSecret(null)} />}
        <QueryView query={endpoints} pending={<Skeleton h={80} />}>
          {(data) =>
            data.length > 0 && (
              <DataTable columns={COLUMNS}>
                {data.map((endpoint) => (
                  <EndpointRow key={endpoint.id} endpoint={endpoint} onSecret={setSecret} />
                ))}
              </DataTable>
            )
          }
        </QueryView>
      </Stack>
      <Dialog title={texts.endpoints.addTitle} isOpen={isOpen} onClose={dialog.close}>
        <EndpointForm endpoint={null} onMade={({ secret: made }) => setSecret(made)} onDone={dialog.close} />
      </Dialog>
    </Section>
  );
}
