/** How much a user may dial, and where reached limits are reported: shown in the table, and changed in a dialog. */
import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { UserRecord } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { showFaults } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { useAmounts } from '../session/use-amounts.ts';
import table from '../ui/data-table.module.css';
import { DraftForm } from '../ui/draft-form.tsx';
import { RowDialog } from '../ui/row-dialog.tsx';
import { dialLimitsDraft } from './dial-limits-draft.rules.ts';
import { texts } from './texts.ts';

const FIELDS = [
  ['max_calls_per_second', texts.dialLimits.perSecond, 'numeric'],
  ['max_calls_per_day', texts.dialLimits.perDay, 'numeric'],
  ['max_cost_per_day', texts.dialLimits.costPerDay, 'decimal'],
] as const;

/** One line; nothing without limits. */
export function DialLimits({ user }: { user: UserRecord }): ReactNode {
  const { format } = useAmounts();
  const { max_calls_per_second: perSecond, max_calls_per_day: perDay, max_cost_per_day: cost } = user;
  if (perSecond === null && perDay === null && cost === null) return null;
  return (
    <div className={table['under']}>
      {texts.dialLimits.shown(perSecond, perDay, cost === null ? null : format(cost))}
    </div>
  );
}

function DialLimitsForm({ user, onDone }: { user: UserRecord; onDone: () => void }): ReactNode {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const amounts = useAmounts();
  const form = useForm({ initialValues: dialLimitsDraft(user), clearInputErrorOnChange: true });
  const save = useMutation(
    trpc.users.setDialLimits.mutationOptions({
      onSuccess: () => {
        onDone();
        return refresh('users');
      },
      onError: showFaults(form),
    }),
  );
  return (
    <DraftForm
      form={form}
      save={save}
      onSubmit={(draft) => save.mutate({ id: user.id, ...draft })}
      onCancel={onDone}
      action={texts.dialLimits.save}
      testId="dial-limits"
    >
      <Text size="sm">{texts.dialLimits.text}</Text>
      {FIELDS.map(([name, label, inputMode]) => (
        <TextInput
          key={name}
          label={name === 'max_cost_per_day' ? amounts.label(label) : label}
          inputMode={inputMode}
          data-testid={`user-${name}`}
          {...form.getInputProps(name)}
        />
      ))}
      <TextInput
        label={texts.dialLimits.webhook.label}
        description={texts.dialLimits.webhook.hint}
        type="url"
        autoComplete="off"
        data-testid="user-limit-webhook"
        {...form.getInputProps('limit_webhook_url')}
      />
    </DraftForm>
  );
}

/** A button that opens the form. */
export function DialLimitsButton({ user }: { user: UserRecord }): ReactNode {
  return (
    <RowDialog
      action={texts.dialLimits.action}
      title={texts.dialLimits.title(user.name)}
      testId="user-dial-limits"
      form={(onDone) => <DialLimitsForm user={user} onDone={onDone} />}
    />
  );
}
