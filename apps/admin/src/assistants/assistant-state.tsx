/** Marks an assistant that takes no calls. */
import type { AssistantRecord } from '@parley/contracts';
import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from './texts.ts';

/** Renders nothing for active assistants. */
export function AssistantState({ status }: { status: AssistantRecord['status'] }): ReactNode {
  if (status === 'active') return null;
  return (
    <Badge variant="default" size="sm" tt="none">
      {texts.inactive}
    </Badge>
  );
}
