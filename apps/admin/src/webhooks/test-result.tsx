/** The answer of a server to a test event. */
import type { WebhookTestResult } from '@parley/contracts';
import { Alert, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatMilliseconds } from '../ui/format.rules.ts';
import { BodyText } from './body-text.tsx';
import { texts } from './texts.ts';

function titleOf({ status }: WebhookTestResult): string {
  if (status === null) return texts.test.noAnswer;
  return status < 300 ? texts.test.accepted : texts.test.refused;
}

/** Whether it was accepted, and the body of the answer. */
export function TestResult({ result }: { result: WebhookTestResult }): ReactNode {
  const { status, error, response_body: body } = result;
  const isAccepted = status !== null && status < 300;
  return (
    <Alert
      color={isAccepted ? 'teal' : 'red'}
      variant="light"
      role="status"
      title={titleOf(result)}
      data-testid="test-result"
    >
      <Stack gap="xs">
        {status === null
          ? `${error ?? ''}. ${texts.test.cure}`
          : texts.test.result(status, formatMilliseconds(result.duration_ms))}
        {body && <BodyText label={texts.test.response} text={body} />}
      </Stack>
    </Alert>
  );
}
