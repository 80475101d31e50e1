/** The text of a suite, checked by the server while it is written. */
import { Alert, List, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPCClient } from '../client/admin-client.ts';
import { texts } from './texts.ts';

const PAUSE_MS = 500;

/** What is wrong with the text; undefined until the server has said it. */
function useFaults(definition: string): readonly string[] | undefined {
  const client = useTRPCClient();
  const [settled] = useDebouncedValue(definition, PAUSE_MS);
  const checked = useQuery({
    queryKey: ['suites.check', settled],
    queryFn: () => client.suites.check.mutate({ definition: settled }),
    enabled: settled.trim() !== '',
    staleTime: Infinity,
    retry: false,
  });
  return settled === definition ? checked.data?.faults : undefined;
}

interface DefinitionFieldProps {
  value: string;
  onChange: (value: string) => void;
}

/** The faults stand below the text, each with its line. */
export function DefinitionField({ value, onChange }: DefinitionFieldProps): ReactNode {
  const faults = useFaults(value);
  return (
    <div>
      <Textarea
        label={texts.form.definition.label}
        description={texts.form.definition.hint}
        withAsterisk
        autosize
        minRows={14}
        maxRows={30}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        data-testid="suite-definition"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <div role="status">
        {faults?.length === 0 && (
          <Text size="sm" c="dimmed" mt="xs" data-testid="suite-valid">
            {texts.form.valid}
          </Text>
        )}
        {faults !== undefined && faults.length > 0 && (
          <Alert color="red" variant="light" mt="xs" title={texts.form.faults} data-testid="suite-faults">
            <List size="sm">
              {faults.map((fault) => (
                <List.Item key={fault}>{fault}</List.Item>
              ))}
            </List>
          </Alert>
        )}
      </div>
    </div>
  );
}
