/** How often a user may dial one number: shown in the table, and changed in a dialog. */
import type { UserRecord } from '@parley/contracts';
import type { ReactNode } from 'react';
import table from '../ui/data-table.module.css';
import { later } from '../ui/later.ts';
import { RowDialog } from '../ui/row-dialog.tsx';
import { texts } from './texts.ts';

const AttemptLimitsForm = later(() => import('./attempt-limits-form.tsx'), 'AttemptLimitsForm');

/** One line; nothing without limits. */
export function AttemptLimits({ user }: { user: UserRecord }): ReactNode {
  const { max_attempts_per_number_per_day: perDay, max_attempts_per_number_per_week: perWeek } = user;
  if (perDay === null && perWeek === null) return null;
  return <div className={table['under']}>{texts.attempts.shown(perDay, perWeek)}</div>;
}

/** A button that opens the form. */
export function AttemptLimitsButton({ user }: { user: UserRecord }): ReactNode {
  return (
    <RowDialog
      action={texts.attempts.action}
      title={texts.attempts.title(user.name)}
      testId="user-attempt-limits"
      form={(onDone) => <AttemptLimitsForm user={user} onDone={onDone} />}
    />
  );
}
