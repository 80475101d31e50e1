/** The button that opens the versions of an assistant, and their dialog. */
import type { AssistantDetailsRecord, AssistantVersionRecord } from '@parley/contracts';
import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC } from '../../client/admin-client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { formatInstant } from '../../ui/format.rules.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import type { AssistantLookups } from '../editor/assistant-draft.ts';
import { settingLabel } from './setting-values.rules.ts';
import { texts } from './texts.ts';
import { VersionDifference } from './version-difference.tsx';
import classes from './versions.module.css';

interface VersionsProps {
  assistant: AssistantDetailsRecord;
  lookups: AssistantLookups;
}

function madeBy({ token_id: id, token_name: name, version }: AssistantVersionRecord): string {
  if (id !== null) return name === null ? texts.byRemovedToken : texts.by(name);
  return version === 1 ? '' : texts.inApp;
}

function whatChanged({
  changed_settings: changed,
  restored_version: restored,
}: AssistantVersionRecord): string {
  if (changed.length === 0) return texts.first;
  const names = texts.changed(changed.map(settingLabel).join(', '));
  return restored === null ? names : `${texts.restoredFrom(restored)} ${names}`;
}

interface VersionRowProps {
  version: AssistantVersionRecord;
  isNow: boolean;
  onCompare: () => void;
}

function VersionRow({ version, isNow, onCompare }: VersionRowProps): ReactNode {
  return (
    <li className={classes['row']} data-testid="version-row">
      <div>
        <Text size="sm" fw={500}>
          {texts.version(version.version)}
          {isNow && ` (${texts.now})`}
        </Text>
        <Text size="xs" c="dimmed">
          {formatInstant(version.created_at)} {madeBy(version)}
        </Text>
        <Text size="sm">{whatChanged(version)}</Text>
      </div>
      {!isNow && (
        <RowButton
          action={texts.compare}
          label={texts.compareLabel(version.version)}
          testId="version-compare"
          onClick={onCompare}
        />
      )}
    </li>
  );
}

function VersionList({
  assistantId,
  onCompare,
}: {
  assistantId: number;
  onCompare: (version: number) => void;
}): ReactNode {
  const trpc = useTRPC();
  const query = useQuery(trpc.assistants.versions.queryOptions({ id: assistantId }));
  return (
    <QueryView query={query} pending={<Skeleton h={200} />}>
      {(versions) =>
        versions.length === 0 ? (
          <Text size="sm">{texts.empty}</Text>
        ) : (
          <ul className={classes['list']}>
            {versions.map((version, place) => (
              <VersionRow
                key={version.version}
                version={version}
                isNow={place === 0}
                onCompare={() => onCompare(version.version)}
              />
            ))}
          </ul>
        )
      }
    </QueryView>
  );
}

/** The dialog has the list of versions, or the differences of one. */
export function VersionsButton({ assistant, lookups }: VersionsProps): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  const [compared, setCompared] = useState<number | null>(null);
  const showList = (): void => setCompared(null);
  return (
    <>
      <Button size="xs" variant="default" data-testid="versions-open" onClick={dialog.open}>
        {texts.open}
      </Button>
      <Dialog
        title={compared === null ? texts.title : texts.difference(compared)}
        isOpen={isOpen}
        isWide
        onClose={() => {
          dialog.close();
          showList();
        }}
      >
        {compared === null ? (
          <VersionList assistantId={assistant.id} onCompare={setCompared} />
        ) : (
          <VersionDifference
            assistant={assistant}
            lookups={lookups}
            version={compared}
            onRestored={showList}
          />
        )}
        <Group justify="space-between" mt="lg">
          {compared === null ? (
            <span />
          ) : (
            <Button
              variant="subtle"
              leftSection={<IconArrowLeft size={16} aria-hidden />}
              data-testid="versions-back"
              onClick={showList}
            >
              {texts.back}
            </Button>
          )}
          <Button variant="default" onClick={dialog.close}>
            {texts.close}
          </Button>
        </Group>
      </Dialog>
    </>
  );
}
