/** The message of a failed request. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { readRequestError } from '../client/request-error.ts';
import { texts } from './texts.ts';

interface RequestFailureProps {
  error: unknown;
  onRetry: () => void;
  isRetrying?: boolean;
}

/** The message and a retry button, which what does not exist has none of. */
export function RequestFailure({ error, onRetry, isRetrying = false }: RequestFailureProps): ReactNode {
  const { kind, message } = readRequestError(error);
  const isMissing = kind === 'not-found';
  return (
    <Alert
      color={isMissing ? 'gray' : 'red'}
      variant="light"
      icon={<IconAlertCircle aria-hidden />}
      title={isMissing ? message : texts.failure.title}
      role="alert"
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{isMissing ? texts.failure.missing : message}</Text>
        {!isMissing && (
          <Button size="xs" variant="default" loading={isRetrying} onClick={onRetry}>
            {texts.failure.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
