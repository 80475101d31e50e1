/** The message of a failed request, with a retry button. */
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

/** The message and a retry button. */
export function RequestFailure({ error, onRetry, isRetrying = false }: RequestFailureProps): ReactNode {
  const { kind, message } = readRequestError(error);
  return (
    <Alert
      color={kind === 'not-found' ? 'gray' : 'red'}
      variant="light"
      icon={<IconAlertCircle aria-hidden />}
      title={kind === 'not-found' ? texts.failure.notFound : texts.failure.title}
      role="alert"
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{message}</Text>
        <Button size="xs" variant="default" loading={isRetrying} onClick={onRetry}>
          {texts.failure.retry}
        </Button>
      </Stack>
    </Alert>
  );
}
