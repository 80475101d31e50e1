/** The state of a run in words and colour. */
import type { SuiteRunRecord } from '@parley/contracts';
import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from './texts.ts';

const COLORS = { running: 'blue', passed: 'green', failed: 'red', cancelled: 'gray' } as const;

/** The word carries the meaning, the colour only helps. */
export function RunState({ status }: { status: SuiteRunRecord['status'] }): ReactNode {
  return (
    <Badge variant="light" color={COLORS[status]} data-testid="run-state" data-state={status}>
      {texts.status[status]}
    </Badge>
  );
}
