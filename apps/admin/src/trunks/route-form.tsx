/** The rules of a phone number: what happens to its calls by day, time and country of the caller. */
import type { AssistantRecord, OwnNumberRecord } from '@parley/contracts';
import { Button, Chip, Fieldset, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { dayChoices } from '../campaigns/campaign-draft.rules.ts';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { firstMessages, readRequestError } from '../client/request-error.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { useAccountZone } from '../session/use-account-zone.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { DraftForm } from '../ui/draft-form.tsx';
import fields from '../ui/field-columns.module.css';
import { QueryView } from '../ui/query-view.tsx';
import { ActionFields } from './route-action-fields.tsx';
import { emptyRule, routeDraft, type RouteDraft, routeInput, type RuleDraft } from './route-draft.rules.ts';
import { QueueFields } from './route-queue-fields.tsx';
import { RouteSummary } from './route-summary.tsx';
import { texts } from './texts.ts';

interface RuleFieldsProps {
  form: UseFormReturnType<RouteDraft>;
  place: number;
  rule: RuleDraft;
  assistants: readonly AssistantRecord[];
}

function RuleButtons({ form, place }: Pick<RuleFieldsProps, 'form' | 'place'>): ReactNode {
  const number = place + 1;
  return (
    <Group justify="flex-end">
      {place > 0 && (
        <Button
          size="xs"
          variant="default"
          aria-label={texts.route.upLabel(number)}
          onClick={() => form.reorderListItem('rules', { from: place, to: place - 1 })}
        >
          {texts.route.up}
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        aria-label={texts.route.removeRuleLabel(number)}
        onClick={() => form.removeListItem('rules', place)}
      >
        {texts.route.removeRule}
      </Button>
    </Group>
  );
}

function RuleFields({ form, place, rule, assistants }: RuleFieldsProps): ReactNode {
  const path = `rules.${place}`;
  return (
    <Fieldset legend={texts.route.rule(place + 1)}>
      <Stack gap="sm">
        <Chip.Group multiple {...form.getInputProps(`${path}.days`)}>
          <Group gap="xs">
            {dayChoices.map(({ day, label }) => (
              <Chip key={day} value={day} size="xs">
                {label}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        <div className={fields['columns']}>
          <TextInput label={texts.route.from} type="time" {...form.getInputProps(`${path}.from`)} />
          <TextInput
            label={texts.route.until}
            description={texts.route.untilHint}
            type="time"
            {...form.getInputProps(`${path}.until`)}
          />
        </div>
        <TextInput
          label={texts.route.countriesField}
          description={texts.route.countriesHint}
          autoComplete="off"
          {...form.getInputProps(`${path}.caller_countries`)}
        />
        <ActionFields form={form} path={`${path}.action`} action={rule.action} assistants={assistants} />
        <RuleButtons form={form} place={place} />
      </Stack>
    </Fieldset>
  );
}

interface RouteFormProps {
  number: OwnNumberRecord;
  assistants: readonly AssistantRecord[];
  timezone: string;
  onDone: () => void;
}

function useRouteForm({ number, assistants, timezone, onDone }: RouteFormProps) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const answers = number.assistants.find(({ id }) => assistants.some((one) => one.id === id));
  const assistantId = answers ? String(answers.id) : '';
  const form = useForm<RouteDraft>({
    initialValues: routeDraft(number.inbound_route, { assistantId, timezone }),
    clearInputErrorOnChange: true,
  });
  const save = useMutation(
    trpc.phoneNumbers.setRoute.mutationOptions({
      onSuccess: async () => {
        onDone();
        await refresh('phoneNumbers');
      },
      onError: (error) => form.setErrors(firstMessages(routeFields(readRequestError(error).fields))),
    }),
  );
  return { form, save, assistantId };
}

type Fields = ReturnType<typeof readRequestError>['fields'];

/** The input of tRPC has the route in a field of its own. Faults of single countries are shown at their field. */
function routeFields(faults: Fields): Fields {
  const renamed = Object.entries(faults).map(([name, messages]) => [
    name.replace(/^route\./, '').replace(/(\.caller_countries)\.\d+$/, '$1'),
    messages,
  ]);
  return Object.fromEntries(renamed) as Fields;
}

function RouteForm(props: RouteFormProps): ReactNode {
  const { number, assistants, onDone } = props;
  const { form, save, assistantId } = useRouteForm(props);
  return (
    <DraftForm
      form={form}
      save={save}
      onSubmit={(draft) => save.mutate({ id: number.id, route: routeInput(draft) })}
      onCancel={onDone}
      action={texts.route.save}
      testId="route-save"
    >
      <TextInput
        label={texts.route.zone}
        placeholder={texts.route.zonePlaceholder}
        autoComplete="off"
        {...form.getInputProps('timezone')}
      />
      {form.values.rules.map((rule, place) => (
        <RuleFields key={place} form={form} place={place} rule={rule} assistants={assistants} />
      ))}
      <Group>
        <Button
          size="xs"
          variant="default"
          data-testid="route-add-rule"
          onClick={() => form.insertListItem('rules', emptyRule(assistantId))}
        >
          {texts.route.addRule}
        </Button>
      </Group>
      <Fieldset legend={texts.route.others}>
        <ActionFields form={form} path="otherwise" action={form.values.otherwise} assistants={assistants} />
      </Fieldset>
      <QueueFields form={form} assistants={assistants} />
    </DraftForm>
  );
}

function RemoveRoute({ number, onDone }: { number: OwnNumberRecord; onDone: () => void }): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const remove = async (): Promise<void> => {
    await client.phoneNumbers.removeRoute.mutate({ id: number.id });
    await refresh('phoneNumbers');
    onDone();
  };
  return (
    <Group>
      <AskFirst
        action={texts.route.remove}
        label={texts.route.removeLabel(number.phone_number)}
        question={texts.route.removeQuestion}
        text={texts.route.removeText}
        keep={texts.route.keep}
        testId="route-remove"
        run={remove}
      />
    </Group>
  );
}

/** What applies now, and the form. */
export function NumberRoute({ number, onDone }: { number: OwnNumberRecord; onDone: () => void }): ReactNode {
  const trpc = useTRPC();
  const timezone = useAccountZone();
  const assistants = useQuery(trpc.assistants.list.queryOptions());
  const { inbound_route: route } = number;
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {texts.route.intro}
      </Text>
      <QueryView query={assistants} pending={<Skeleton h={240} radius="lg" />}>
        {(data) => (
          <>
            {route && <RouteSummary route={route} assistants={data} />}
            {route && <RemoveRoute number={number} onDone={onDone} />}
            <RouteForm
              number={number}
              assistants={data.filter(({ type }) => type === 'inbound')}
              timezone={timezone}
              onDone={onDone}
            />
          </>
        )}
      </QueryView>
    </Stack>
  );
}
