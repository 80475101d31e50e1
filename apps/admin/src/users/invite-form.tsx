/** The form that adds a user. The server validates it, and its faults are shown at the fields. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { showFaults } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { DraftForm } from '../ui/draft-form.tsx';
import type { NewLink } from './shown-link.tsx';
import { texts } from './texts.ts';

interface InviteFormProps {
  onMade: (made: NewLink) => void;
  onCancel: () => void;
}

interface Draft {
  name: string;
  email: string;
  role: 'operator' | 'member';
}

const ROLES = [
  { value: 'member', label: texts.roles.member },
  { value: 'operator', label: texts.roles.operator },
];

/** Name, e-mail address and role. */
export function InviteForm({ onMade, onCancel }: InviteFormProps): ReactNode {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const form = useForm<Draft>({
    initialValues: { name: '', email: '', role: 'member' },
    clearInputErrorOnChange: true,
  });
  const invite = useMutation(
    trpc.users.invite.mutationOptions({
      // The response contains the link, which must not stay in memory after it was shown.
      gcTime: 0,
      onSuccess: ({ user, link }) => {
        onMade({ name: user.name, link });
        return refresh('users');
      },
      onError: showFaults(form),
    }),
  );
  return (
    <DraftForm
      form={form}
      save={invite}
      onSubmit={(draft) => invite.mutate(draft)}
      onCancel={onCancel}
      action={texts.form.action}
      testId="user-invite"
    >
      <TextInput
        label={texts.form.name}
        withAsterisk
        autoComplete="off"
        data-testid="user-name"
        {...form.getInputProps('name')}
      />
      <TextInput
        label={texts.form.email}
        type="email"
        withAsterisk
        autoComplete="off"
        data-testid="user-email"
        {...form.getInputProps('email')}
      />
      <NativeSelect
        label={texts.form.role}
        data={ROLES}
        data-testid="user-role"
        {...form.getInputProps('role')}
      />
    </DraftForm>
  );
}
