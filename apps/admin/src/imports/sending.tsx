/** How much of a file has been sent. */
import { Progress, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from './texts.ts';

/** @param props.after - what happens once the whole file has been sent */
export function Sending({ percent, after }: { percent: number; after: string }): ReactNode {
  return (
    <div>
      <Progress
        value={percent}
        aria-label={texts.importForm.sentPercent(percent)}
        data-testid="import-progress"
      />
      <Text size="xs" c="dimmed" mt={4}>
        {percent < 100 ? texts.importForm.sent(percent) : after}
      </Text>
    </div>
  );
}
