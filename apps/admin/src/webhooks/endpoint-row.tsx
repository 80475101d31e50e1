/** One webhook endpoint in the table, with what can be done with it. */
import type { EndpointRecord } from '@parley/contracts';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import table from '../ui/data-table.module.css';
import { FormFailure } from '../ui/form-failure.tsx';
import { RowActions } from '../ui/row-actions.tsx';
import { RowDialog } from '../ui/row-dialog.tsx';
import { eventLabel } from './delivery-labels.rules.ts';
import { RotateButton } from './rotate-button.tsx';
import { TestResult } from './test-result.tsx';
import { texts } from './texts.ts';
import { later } from '../ui/later.ts';

const EndpointForm = later(() => import('./endpoint-form.tsx'), 'EndpointForm');

function TestForm({ endpoint, onDone }: { endpoint: EndpointRecord; onDone: () => void }): ReactNode {
  const send = useMutation(useTRPC().webhookEndpoints.test.mutationOptions());
  return (
    <Stack gap="md">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {texts.endpoints.test.text(endpoint.url)}
      </Text>
      <FormFailure error={send.error} fields={[]} />
      {send.data && <TestResult result={send.data} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {texts.secret.done}
        </Button>
        <Button
          loading={send.isPending}
          data-testid="endpoint-test-send"
          onClick={() => send.mutate({ id: endpoint.id })}
        >
          {texts.test.send}
        </Button>
      </Group>
    </Stack>
  );
}

interface EndpointRowProps {
  endpoint: EndpointRecord;
  /** Gets a new secret. */
  onSecret: (secret: string | null) => void;
}

function Actions({ endpoint, onSecret }: EndpointRowProps): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const { id, url } = endpoint;
  const rotate = async (hours: number): Promise<void> => {
    const made = await client.webhookEndpoints.rotateSecret.mutate({ id, keep_old_for_hours: hours });
    onSecret(made.secret);
    await refresh('webhookEndpoints');
  };
  const remove = async (): Promise<void> => {
    await client.webhookEndpoints.remove.mutate({ id });
    await refresh('webhookEndpoints', 'webhooks');
  };
  return (
    <RowActions>
      <RowDialog
        action={texts.endpoints.test.action}
        title={texts.endpoints.test.title}
        testId="endpoint-test"
        form={(onDone) => <TestForm endpoint={endpoint} onDone={onDone} />}
      />
      <RowDialog
        action={texts.endpoints.form.edit}
        title={texts.endpoints.form.editTitle}
        testId="endpoint-edit"
        form={(onDone) => <EndpointForm endpoint={endpoint} onDone={onDone} />}
      />
      <RotateButton label={texts.endpoints.rotate(url)} testId="endpoint-rotate" rotate={rotate} />
      <AskFirst
        action={texts.endpoints.remove.action}
        label={texts.endpoints.remove.label(url)}
        question={texts.endpoints.remove.question}
        text={texts.endpoints.remove.text}
        keep={texts.endpoints.remove.keep}
        testId="endpoint-delete"
        run={remove}
      />
    </RowActions>
  );
}

/** Address, note and state, the events, and the buttons. */
export function EndpointRow(props: EndpointRowProps): ReactNode {
  const { url, description, events, is_enabled: isEnabled, signing_secret: secret } = props.endpoint;
  return (
    <tr data-testid="endpoint-row" data-enabled={isEnabled}>
      <td className={`${table['wrap']} ${table['anywhere']}`}>
        {url}{' '}
        {!isEnabled && (
          <Badge variant="default" size="sm" tt="none">
            {texts.endpoints.off}
          </Badge>
        )}
        {description !== '' && <div className={table['under']}>{description}</div>}
        <div className={table['under']}>{texts.endpoints.secret(secret.prefix)}</div>
      </td>
      <td className={`${table['wrap']} ${table['mediumOnly']}`}>
        {events.map((event) => eventLabel(event)).join(', ')}
      </td>
      <td className={table['number']}>
        <Actions {...props} />
      </td>
    </tr>
  );
}
