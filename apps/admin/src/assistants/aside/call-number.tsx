/** A box that has the assistant call a number. */
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPhoneOutgoing } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTRPC } from '../../client/admin-client.ts';
import { showFaults } from '../../client/request-error.ts';
import { FormFailure } from '../../ui/form-failure.tsx';
import { TextLink } from '../../ui/link-button.tsx';
import { Section } from '../../ui/section.tsx';
import { texts } from './texts.ts';

/** Opens the page of the call once it is placed. */
export function CallNumber({ assistantId }: { assistantId: number }): ReactNode {
  const trpc = useTRPC();
  const navigate = useNavigate();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { phone_number: '' },
    validate: { phone_number: (value) => (value.trim() === '' ? texts.missing : null) },
  });
  const place = useMutation(
    trpc.calls.place.mutationOptions({
      onSuccess: ({ call_id }) => navigate({ to: '/calls/$callId', params: { callId: call_id } }),
      onError: showFaults(form),
    }),
  );
  return (
    <Section title={texts.title}>
      <form
        noValidate
        onSubmit={form.onSubmit(({ phone_number }) =>
          place.mutate({ assistant_id: assistantId, phone_number: phone_number.trim(), variables: {} }),
        )}
      >
        <Stack gap="sm">
          <FormFailure error={place.error} fields={['phone_number']} />
          <TextInput
            label={texts.number}
            placeholder="+1 212 555 0123"
            type="tel"
            autoComplete="off"
            data-testid="call-number"
            key={form.key('phone_number')}
            {...form.getInputProps('phone_number')}
          />
          <Button
            type="submit"
            loading={place.isPending}
            leftSection={<IconPhoneOutgoing size={18} stroke={1.6} aria-hidden />}
          >
            {texts.action}
          </Button>
          <Text size="xs" c="dimmed">
            {texts.hint}{' '}
            <TextLink to="/trunks" underline="always">
              {texts.addTrunk}
            </TextLink>
          </Text>
        </Stack>
      </form>
    </Section>
  );
}
