/** The last step of an import: its progress, then its result with a report and an undo. */
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ImportRecord } from '@parley/contracts';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../client/admin-client.ts';
import { Facts } from '../ui/facts.tsx';
import { FormFailure } from '../ui/form-failure.tsx';
import { LinkButton, TextLink } from '../ui/link-button.tsx';
import { Section } from '../ui/section.tsx';
import { Sending } from './sending.tsx';
import { texts } from './texts.ts';
import { UndoButton } from './undo-button.tsx';

/** The record that the upload returned, or what became of it since, such as its undo in another tab. */
function useNewestRecord(record: ImportRecord): ImportRecord {
  const imports = useQuery(useTRPC().campaigns.imports.queryOptions({ id: record.campaign_id }));
  return imports.data?.find(({ id }) => id === record.id) ?? record;
}

function sentenceOf(record: ImportRecord): string {
  const { result } = texts;
  if (record.state === 'undone') return result.undone(record.leads_removed);
  if (record.state === 'undoing') return result.undoing;
  if (record.state === 'interrupted') return result.interrupted;
  return record.state === 'running' ? result.importing : result.finished(record.rows_imported);
}

function Result({ record: first }: { record: ImportRecord }): ReactNode {
  const record = useNewestRecord(first);
  const [kept, setKept] = useState(0);
  const isUndone = record.state === 'undone';
  return (
    <Stack gap="md" data-testid="import-result" data-state={record.state}>
      <Text fw={500} role="status">
        {sentenceOf(record)}
      </Text>
      {isUndone && kept > 0 && <Text size="sm">{texts.result.kept(kept)}</Text>}
      {!isUndone && (
        <Facts
          layout="columns"
          facts={[
            [texts.result.imported, record.rows_imported.toLocaleString('en')],
            [texts.result.duplicate, record.rows_duplicate.toLocaleString('en')],
            [texts.result.refused, record.rows_refused.toLocaleString('en')],
          ]}
        />
      )}
      {!isUndone && record.refusals.length > 0 && (
        <Anchor size="sm" href={`/lead-files/${record.id}/report`} download data-testid="import-report">
          {texts.result.report}
        </Anchor>
      )}
      {!isUndone && (
        <Group>
          <UndoButton record={record} onUndone={setKept} />
        </Group>
      )}
    </Stack>
  );
}

interface ResultStepProps {
  campaignId: number;
  percent: number;
  /** Undefined while the file is being imported. */
  record: ImportRecord | undefined;
  error: Error | null;
  onAgain: () => void;
}

/** The upload goes on while other pages of the app are shown. */
export function ResultStep({ campaignId, percent, record, error, onAgain }: ResultStepProps): ReactNode {
  return (
    <Section title={texts.page.names.result}>
      <Stack gap="lg">
        {!record && !error && (
          <Stack gap="xs">
            <Text size="sm">{texts.result.importing}</Text>
            <Sending percent={percent} after={texts.importForm.reading} />
          </Stack>
        )}
        <FormFailure error={error} fields={[]} />
        {record && <Result record={record} />}
        {(record ?? error) && (
          <Group>
            <LinkButton to="/campaigns/$campaignId" params={{ campaignId }}>
              {texts.page.campaign}
            </LinkButton>
            <Button variant="default" data-testid="import-again" onClick={onAgain}>
              {texts.page.another}
            </Button>
            <TextLink to="/leads" search={{ campaign: campaignId }} size="sm">
              {texts.page.leads}
            </TextLink>
          </Group>
        )}
      </Stack>
    </Section>
  );
}
