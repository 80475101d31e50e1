/** Sends the request of a tool with example values, and shows what was sent and answered. */
import type { ToolTrialResult } from '@parley/contracts';
import { Alert, Button, Fieldset, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { FormFailure } from '../../ui/form-failure.tsx';
import { formatMilliseconds } from '../../ui/format.rules.ts';
import { jsonFault } from './tool-draft.rules.ts';
import classes from './tool-form.module.css';
import { texts } from './texts.ts';

/** The values of a trial. */
export interface TrialValues {
  variables: Record<string, unknown>;
  arguments: Record<string, unknown>;
}

interface TryToolProps {
  /** Called when a trial begins to be filled in. */
  examples: () => TrialValues;
  send: (values: TrialValues) => Promise<ToolTrialResult>;
}

function Exchange({ label, text }: { label: string; text: string }): ReactNode {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      {/* A region that scrolls must be reachable by keyboard. */}
      <pre className={classes['exchange']} tabIndex={0} aria-label={label}>
        {text}
      </pre>
    </div>
  );
}

function Result({ result }: { result: ToolTrialResult }): ReactNode {
  const { status, error, duration_ms: duration, response_body: answer } = result;
  const isFine = status !== null && status < 400;
  const request = [`${result.method} ${result.url}`, texts.trial.headers(result.header_names.join(', '))];
  if (result.body !== null) request.push('', result.body);
  return (
    <Alert
      color={isFine ? 'teal' : 'red'}
      variant="light"
      role="status"
      data-testid="tool-trial-result"
      title={
        status === null
          ? texts.trial.noAnswer(formatMilliseconds(duration))
          : texts.trial.answered(status, formatMilliseconds(duration))
      }
    >
      <Stack gap="xs">
        {error !== null && <Text size="sm">{error}</Text>}
        <Exchange label={texts.trial.request} text={request.join('\n')} />
        {answer !== null && answer !== '' && <Exchange label={texts.trial.answer} text={answer} />}
      </Stack>
    </Alert>
  );
}

const asJson = (value: unknown): string => JSON.stringify(value, null, 2);

function objectFault(text: string): string | null {
  const fault = jsonFault(text);
  if (fault !== null) return fault;
  const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? null : texts.trial.notObject;
}

interface ValueFieldProps {
  label: string;
  hint: string;
  text: string;
  testId: string;
  onChange: (text: string) => void;
}

function ValueField({ label, hint, text, testId, onChange }: ValueFieldProps): ReactNode {
  return (
    <Textarea
      label={label}
      description={hint}
      value={text}
      error={objectFault(text)}
      rows={4}
      spellCheck={false}
      classNames={{ input: classes['code'] ?? '' }}
      data-testid={testId}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface TrialTexts {
  variables: string;
  arguments: string;
}

/** Closed at first. The values are those of the moment when it was opened. */
export function TryTool({ examples, send }: TryToolProps): ReactNode {
  const [values, setValues] = useState<TrialTexts | null>(null);
  const trial = useMutation({ mutationFn: send });
  if (values === null) {
    const open = (): void => {
      const given = examples();
      setValues({ variables: asJson(given.variables), arguments: asJson(given.arguments) });
    };
    return (
      <Button variant="default" mt="md" data-testid="tool-try" onClick={open}>
        {texts.trial.open}
      </Button>
    );
  }
  const isFaulty = objectFault(values.variables) !== null || objectFault(values.arguments) !== null;
  const parsed = (text: string): Record<string, unknown> =>
    text.trim() === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  const run = (): void =>
    trial.mutate({ variables: parsed(values.variables), arguments: parsed(values.arguments) });
  return (
    <Fieldset legend={texts.trial.open} mt="md">
      <Stack gap="sm">
        <Text size="sm">{texts.trial.explain}</Text>
        <ValueField
          label={texts.trial.arguments}
          hint={texts.trial.argumentsHint}
          text={values.arguments}
          testId="tool-trial-arguments"
          onChange={(text) => setValues({ ...values, arguments: text })}
        />
        <ValueField
          label={texts.trial.variables}
          hint={texts.trial.variablesHint}
          text={values.variables}
          testId="tool-trial-variables"
          onChange={(text) => setValues({ ...values, variables: text })}
        />
        <FormFailure error={trial.error} fields={[]} />
        {trial.data && !trial.isPending && <Result result={trial.data} />}
        <Group justify="flex-end">
          <Button
            variant="light"
            disabled={isFaulty}
            loading={trial.isPending}
            data-testid="tool-trial-send"
            onClick={run}
          >
            {texts.trial.send}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
