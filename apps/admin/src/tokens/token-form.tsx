/** The form for a new token. The server validates it, and its faults are shown at the fields. */
import type { NewTokenRecord, Scope } from '@parley/contracts';
import { Stack, Switch, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { showFaults } from '../client/request-error.ts';
import { DraftForm } from '../ui/draft-form.tsx';
import classes from './token-form.module.css';
import { emptyDraft, scopeChoices, type TokenDraft, toTokenInput } from './token-labels.rules.ts';
import { texts } from './texts.ts';

type TokenDraftForm = UseFormReturnType<TokenDraft>;

interface TokenFormProps {
  /** Gets the token, with its text. */
  onMade: (made: NewTokenRecord) => void;
  onCancel: () => void;
}

function useCreate(form: TokenDraftForm, onMade: TokenFormProps['onMade']) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.tokens.create.mutationOptions({
      // The response contains the token, which must not stay in memory after it was shown.
      gcTime: 0,
      onSuccess: (made) => {
        onMade(made);
        return queryClient.invalidateQueries(trpc.tokens.list.queryFilter());
      },
      onError: showFaults(form),
    }),
  );
}

function ScopeFields({ form }: { form: TokenDraftForm }): ReactNode {
  const { may_everything, scopes } = form.values;
  const toggle = (scope: Scope, isOn: boolean): void =>
    form.setFieldValue('scopes', isOn ? [...scopes, scope] : scopes.filter((other) => other !== scope));
  return (
    <fieldset className={classes['scopes']}>
      <legend className={classes['legend']}>{texts.form.scopes.legend}</legend>
      <Stack gap="sm">
        <Switch
          label={texts.form.scopes.everything}
          data-testid="token-everything"
          {...form.getInputProps('may_everything', { type: 'checkbox' })}
        />
        {!may_everything &&
          scopeChoices.map(({ scope, label, description }) => (
            <Switch
              key={scope}
              label={label}
              description={description}
              data-testid={`token-scope-${scope}`}
              checked={scopes.includes(scope)}
              onChange={(event) => toggle(scope, event.currentTarget.checked)}
            />
          ))}
        {!may_everything && form.errors['scopes'] && (
          <div role="alert" className={classes['error']}>
            {texts.form.scopes.missing}
          </div>
        )}
      </Stack>
    </fieldset>
  );
}

/** Name, scopes, expiry, and the buttons. */
export function TokenForm({ onMade, onCancel }: TokenFormProps): ReactNode {
  const form = useForm<TokenDraft>({ initialValues: emptyDraft, clearInputErrorOnChange: true });
  const create = useCreate(form, onMade);
  return (
    <DraftForm
      form={form}
      save={create}
      onSubmit={(draft) => create.mutate(toTokenInput(draft))}
      onCancel={onCancel}
      action={texts.form.action}
      testId="token-create"
    >
      <TextInput
        label={texts.form.name.label}
        description={texts.form.name.hint}
        withAsterisk
        autoComplete="off"
        data-testid="token-name"
        {...form.getInputProps('name')}
      />
      <ScopeFields form={form} />
      <Switch
        label={texts.form.confirmation.label}
        description={texts.form.confirmation.hint}
        data-testid="token-confirmation"
        {...form.getInputProps('requires_confirmation', { type: 'checkbox' })}
      />
      <TextInput
        label={texts.form.expiry.label}
        description={texts.form.expiry.hint}
        type="number"
        min={1}
        step={1}
        rightSection={<span aria-hidden="true">{texts.form.expiry.unit}</span>}
        rightSectionWidth={56}
        data-testid="token-days"
        {...form.getInputProps('expires_in_days')}
      />
    </DraftForm>
  );
}
