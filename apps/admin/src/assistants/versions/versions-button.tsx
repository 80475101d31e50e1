/** The button that opens the versions of an assistant, and their dialog. */
import type { AssistantDetailsRecord } from '@parley/contracts';
import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowLeft } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import type { AssistantLookups } from '../editor/assistant-draft.ts';
import { texts } from './texts.ts';
import { later } from '../../ui/later.ts';

const VersionList = later(() => import('./version-list.tsx'), 'VersionList');
const VersionDifference = later(() => import('./version-difference.tsx'), 'VersionDifference');

interface VersionsProps {
  assistant: AssistantDetailsRecord;
  lookups: AssistantLookups;
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
