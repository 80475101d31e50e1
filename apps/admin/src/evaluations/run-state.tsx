/** The state of a run in words and colour. */
import type { SuiteRunRecord } from '@parley/contracts';
import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from './texts.ts';

/** Only a failure has a colour; the word carries the meaning. */
export function RunState({ status }: { status: SuiteRunRecord['status'] }): ReactNode {
  return (
    <Badge
      size="sm"
      tt="none"
      miw="max-content"
      {...(status === 'failed' ? { variant: 'light', color: 'red' } : { variant: 'default' })}
      data-testid="run-state"
      data-state={status}
    >
      {texts.status[status]}
    </Badge>
  );
}
