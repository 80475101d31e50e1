/** The versions of an assistant, newest first. */
import type { AssistantVersionRecord } from '@parley/contracts';
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '../../client/admin-client.ts';
import { Instant } from '../../ui/instant.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import { settingLabel } from './setting-values.rules.ts';
import { texts } from './texts.ts';
import classes from './versions.module.css';

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
          <Instant at={version.created_at} /> {madeBy(version)}
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

interface VersionListProps {
  assistantId: number;
  onCompare: (version: number) => void;
}

/** In a dialog. */
export function VersionList({ assistantId, onCompare }: VersionListProps): ReactNode {
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
