/** The differences between a version and now, and the button that restores them. */
import type { AssistantDetailsRecord } from '@parley/contracts';
import { Checkbox, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC, useTRPCClient } from '../../client/admin-client.ts';
import { useRefresh } from '../../client/use-refresh.ts';
import { AskFirst } from '../../ui/ask-first.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import type { AssistantLookups } from '../editor/assistant-draft.ts';
import { type Difference, differences, type VersionedName } from './setting-values.rules.ts';
import { type DifferenceRow, isLong, textDifference } from './text-difference.ts';
import { texts } from './texts.ts';
import classes from './versions.module.css';

const SIGNS = { same: ' ', added: '+', removed: '−', skipped: '…' };

function Line({ row }: { row: DifferenceRow }): ReactNode {
  const Element = row.kind === 'added' ? 'ins' : row.kind === 'removed' ? 'del' : 'span';
  return (
    <Element className={classes['line']} data-kind={row.kind} data-sign={SIGNS[row.kind]}>
      {row.kind === 'skipped' ? texts.skipped(row.count) : row.line}
    </Element>
  );
}

function Values({ difference: { label, now, version } }: { difference: Difference }): ReactNode {
  if (!isLong(now, version)) {
    return (
      <div className={classes['values']}>
        <span>
          {texts.removed} <del>{now}</del>
        </span>
        <span>
          {texts.added} <ins>{version}</ins>
        </span>
      </div>
    );
  }
  const rows = textDifference(now, version);
  return (
    // A region that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes['lines']} role="group" aria-label={label} tabIndex={0}>
      {rows.map((row, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no identity
        <Line key={place} row={row} />
      ))}
    </div>
  );
}

interface DifferenceListProps {
  assistantId: number;
  version: number;
  found: readonly Difference[];
  onRestored: () => void;
}

function DifferenceList({ assistantId, version, found, onRestored }: DifferenceListProps): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const [left, setLeft] = useState<ReadonlySet<VersionedName>>(new Set());
  const settings = found.map(({ name }) => name).filter((name) => !left.has(name));
  const restore = async (): Promise<void> => {
    await client.assistants.restoreVersion.mutate({ id: assistantId, version, settings });
    await refresh('assistants', 'campaigns', 'lookups', 'phoneNumbers');
    onRestored();
  };
  const toggle = (name: VersionedName): void =>
    setLeft((before) =>
      before.has(name) ? before.difference(new Set([name])) : before.union(new Set([name])),
    );
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {texts.explain}
      </Text>
      {found.map((difference) => (
        <div key={difference.name} data-testid="version-setting" data-setting={difference.name}>
          <Checkbox
            label={difference.label}
            checked={!left.has(difference.name)}
            onChange={() => toggle(difference.name)}
          />
          <Values difference={difference} />
        </div>
      ))}
      <Group justify="flex-end">
        {settings.length === 0 ? (
          <Text size="sm">{texts.nothingSelected}</Text>
        ) : (
          <AskFirst
            action={texts.restore}
            look={{ size: 'sm' }}
            question={texts.restoreQuestion(version)}
            text={texts.restoreText(settings.length)}
            keep={texts.keep}
            testId="version-restore"
            run={restore}
          />
        )}
      </Group>
    </Stack>
  );
}

interface VersionDifferenceProps {
  assistant: AssistantDetailsRecord;
  lookups: AssistantLookups;
  version: number;
  onRestored: () => void;
}

/** Compares with what is stored now, not with unsaved edits. */
export function VersionDifference({
  assistant,
  lookups,
  version,
  onRestored,
}: VersionDifferenceProps): ReactNode {
  const trpc = useTRPC();
  const query = useQuery(trpc.assistants.version.queryOptions({ id: assistant.id, version }));
  return (
    <QueryView query={query} pending={<Skeleton h={200} />}>
      {({ settings }) => {
        const found = differences(settings, assistant, lookups);
        return found.length === 0 ? (
          <Text size="sm">{texts.same}</Text>
        ) : (
          <DifferenceList
            assistantId={assistant.id}
            version={version}
            found={found}
            onRestored={onRestored}
          />
        );
      }}
    </QueryView>
  );
}
