/** A command to copy and paste. */
import { ActionIcon, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './code-line.module.css';
import { texts } from './texts.ts';

/** `label` names the command for screen readers. */
export function CodeLine({ code, label }: { code: string; label: string }): ReactNode {
  return (
    <div className={classes['line']}>
      {/* A scrollable region must be reachable by keyboard. */}
      <pre className={classes['code']} tabIndex={0} aria-label={label}>
        {code}
      </pre>
      <CopyButton value={code} timeout={1500}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="default"
            size="lg"
            onClick={copy}
            title={copied ? texts.copy.done : texts.copy.action}
            aria-label={copied ? texts.copy.done : texts.copy.action}
          >
            {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} stroke={1.6} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
    </div>
  );
}
