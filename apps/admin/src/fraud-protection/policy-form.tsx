/** The form of the settings. The server checks them, and what it finds is shown at the fields. */
import { type DialPolicyRecord, numberKinds } from '@parley/contracts';
import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { firstMessages, readRequestError } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { useAmounts } from '../session/use-amounts.ts';
import fields from '../ui/field-columns.module.css';
import { FormFailure } from '../ui/form-failure.tsx';
import { Section } from '../ui/section.tsx';
import { useUnsavedChanges } from '../ui/unsaved-changes.ts';
import { useSubmitOnce } from '../ui/use-submit-once.ts';
import { atFields, draftOf, MEASURES, SCOPES, toPolicy, type PolicyDraft } from './policy-draft.rules.ts';
import { texts } from './texts.ts';

interface FieldsProps {
  form: UseFormReturnType<PolicyDraft>;
}

function Countries({ form, policy }: FieldsProps & { policy: DialPolicyRecord }): ReactNode {
  const inForce = policy.countries_in_force;
  const codes = inForce?.join(', ');
  return (
    <Section title={texts.countries.title}>
      <Stack gap="sm">
        <TextInput
          label={texts.countries.label}
          description={texts.countries.hint}
          autoComplete="off"
          maw={560}
          data-testid="allowed-countries"
          {...form.getInputProps('countries')}
        />
        <Text size="sm" c="dimmed" data-testid="countries-in-force">
          {inForce
            ? texts.countries.inForce(codes === '' || !codes ? texts.countries.none : codes)
            : texts.countries.open}
        </Text>
      </Stack>
    </Section>
  );
}

function Kinds({ form }: FieldsProps): ReactNode {
  return (
    <Section title={texts.kinds.title}>
      <Checkbox.Group label={texts.kinds.legend} {...form.getInputProps('kinds')}>
        <Stack gap="xs" mt="xs">
          {numberKinds.map((kind) => (
            <Checkbox
              key={kind}
              value={kind}
              label={texts.kinds.names[kind]}
              data-testid={`blocked-${kind}`}
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </Section>
  );
}

/** The label of a limit, with the currency if it is an amount. */
function useLimitLabel(): (scope: (typeof SCOPES)[number], measure: (typeof MEASURES)[number]) => string {
  const amounts = useAmounts();
  return (scope, measure) => {
    const label = texts.limits.label(texts.limits.scopes[scope], texts.limits.measures[measure]);
    return measure === 'cost_per_day' ? amounts.label(label) : label;
  };
}

function Limits({ form }: FieldsProps): ReactNode {
  const labelOf = useLimitLabel();
  return (
    <Section title={texts.limits.title}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {texts.limits.hint}
        </Text>
        {SCOPES.map((scope) => (
          <div key={scope} className={fields['columns']}>
            {MEASURES.map((measure) => (
              <TextInput
                key={measure}
                label={labelOf(scope, measure)}
                inputMode="decimal"
                autoComplete="off"
                data-testid={`limit-${scope}-${measure}`}
                {...form.getInputProps(`limits.${scope}.${measure}`)}
              />
            ))}
          </div>
        ))}
        <div className={fields['columns']}>
          <TextInput
            label={texts.limits.sms}
            inputMode="numeric"
            autoComplete="off"
            data-testid="limit-sms-per-day"
            {...form.getInputProps('smsPerDay')}
          />
        </div>
      </Stack>
    </Section>
  );
}

/** Sends everything; what was not changed stays as it is. */
export function PolicyForm({ policy }: { policy: DialPolicyRecord }): ReactNode {
  const form = useForm<PolicyDraft>({ initialValues: draftOf(policy), clearInputErrorOnChange: true });
  const client = useTRPCClient();
  const refresh = useRefresh();
  const save = useMutation({
    mutationFn: (draft: PolicyDraft) => client.dialPolicy.update.mutate(toPolicy(draft)),
    onSuccess: (saved) => {
      form.setInitialValues(draftOf(saved));
      form.reset();
      return refresh('dialPolicy');
    },
    onError: (error) => form.setErrors(atFields(firstMessages(readRequestError(error).fields))),
  });
  const isDirty = form.isDirty();
  useUnsavedChanges({ isDirty, isBeingSaved: save.isPending });
  const once = useSubmitOnce();
  return (
    <form noValidate onSubmit={form.onSubmit((draft) => once(() => save.mutate(draft)))}>
      <Stack gap="lg">
        <Countries form={form} policy={policy} />
        <Kinds form={form} />
        <Limits form={form} />
        <FormFailure error={save.error} />
        <Group justify="flex-end">
          {save.isSuccess && !isDirty && (
            <Text size="sm" role="status">
              {texts.saved}
            </Text>
          )}
          <Button type="submit" loading={save.isPending} data-testid="dial-policy-save">
            {texts.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
