/** The sentences that an assistant says as they are written, and their recordings: add, listen, replace, delete. */
import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC, useTRPCClient } from '../../client/admin-client.ts';
import { useRefresh } from '../../client/use-refresh.ts';
import { AskFirst } from '../../ui/ask-first.tsx';
import table from '../../ui/data-table.module.css';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatMilliseconds } from '../../ui/format.rules.ts';
import { FormFailure } from '../../ui/form-failure.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { RowActions } from '../../ui/row-actions.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import { Section } from '../../ui/section.tsx';
import { PhraseForm } from './phrase-form.tsx';
import { firstRows, type PhraseLists, type PhraseRow, phraseRows } from './phrase-rows.rules.ts';
import { texts } from './texts.ts';
import { loadPhraseSound, type SoundPlayer, useSound } from './use-sound.ts';

/** How often the list is asked for while a sound is being decoded, milliseconds. */
const DECODING_MS = 1_000;

const COLUMNS: readonly Column[] = [
  [texts.columns.sentence],
  [texts.columns.state, table['mediumOnly']],
  [''],
];

interface RowProps {
  assistantId: number;
  row: PhraseRow;
  player: SoundPlayer;
  onRecord: (sentence: string) => void;
}

function stateOf({ recording }: PhraseRow): string {
  if (recording === null) return texts.spoken;
  return recording.status === 'active'
    ? texts.ready(formatMilliseconds(recording.duration_ms))
    : texts.status[recording.status];
}

function State({ row }: { row: PhraseRow }): ReactNode {
  return (
    <>
      {stateOf(row)}
      {row.recording?.error && <div className={table['under']}>{row.recording.error}</div>}
    </>
  );
}

function RemoveButton({
  assistantId,
  id,
  text,
}: {
  assistantId: number;
  id: number;
  text: string;
}): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const remove = async (): Promise<void> => {
    await client.recordedPhrases.remove.mutate({ assistant_id: assistantId, id });
    await refresh('recordedPhrases');
  };
  return (
    <AskFirst
      action={texts.remove.action}
      label={texts.remove.label(text)}
      question={texts.remove.question}
      text={texts.remove.text(text)}
      keep={texts.remove.keep}
      testId="phrase-remove"
      run={remove}
    />
  );
}

function ListenButton({ assistantId, row, player }: RowProps): ReactNode {
  const { recording, text, key } = row;
  if (recording?.status !== 'active') return null;
  const words = player.playing === key ? texts.stop : texts.listen;
  return (
    <RowButton
      action={words.action}
      label={words.label(text)}
      testId="phrase-listen"
      onClick={() => player.toggle(key, () => loadPhraseSound(assistantId, recording.id))}
    />
  );
}

function Row(props: RowProps): ReactNode {
  const { assistantId, row, onRecord } = props;
  const { text, usedFor, recording } = row;
  const words = recording ? texts.replace : texts.record;
  return (
    <tr data-testid="phrase-row" data-state={recording?.status ?? 'spoken'}>
      <td className={`${table['wrap']} ${table['anywhere']}`}>
        {text}
        <div className={table['under']}>{texts.use(usedFor)}</div>
        <div className={`${table['narrowOnly']} ${table['minor']}`}>
          <State row={row} />
        </div>
      </td>
      <td className={`${table['mediumOnly']} ${recording?.error ? table['wrap'] : ''}`}>
        <State row={row} />
      </td>
      <td className={table['number']}>
        <RowActions>
          <ListenButton {...props} />
          <RowButton
            action={words.action}
            label={words.label(text)}
            testId="phrase-record"
            onClick={() => onRecord(text)}
          />
          {recording && <RemoveButton assistantId={assistantId} id={recording.id} text={text} />}
        </RowActions>
      </td>
    </tr>
  );
}

interface RowsProps extends Omit<RowProps, 'row'> {
  lists: PhraseLists;
}

function Rows({ lists, ...props }: RowsProps): ReactNode {
  const [isWhole, whole] = useDisclosure(false);
  const rows = phraseRows(lists);
  const shown = isWhole ? rows : firstRows(rows);
  return (
    <>
      <DataTable columns={COLUMNS}>
        {shown.map((row) => (
          <Row key={row.key} row={row} {...props} />
        ))}
      </DataTable>
      {shown.length < rows.length && (
        <Button variant="subtle" size="xs" data-testid="phrases-all" onClick={whole.open}>
          {texts.showAll(rows.length)}
        </Button>
      )}
    </>
  );
}

/** Refreshes while a sound is being decoded. */
export function RecordedPhrasesSection({ assistantId }: { assistantId: number }): ReactNode {
  const trpc = useTRPC();
  const player = useSound();
  /** Null: closed. */
  const [recording, setRecording] = useState<{ sentence: string | null } | null>(null);
  const close = (): void => setRecording(null);
  const lists = useQuery({
    ...trpc.recordedPhrases.list.queryOptions({ id: assistantId }),
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === 'processing') ? DECODING_MS : false,
  });
  return (
    <Section
      title={texts.title}
      aside={
        <Button size="xs" data-testid="new-phrase" onClick={() => setRecording({ sentence: null })}>
          {texts.add}
        </Button>
      }
    >
      <Stack gap="sm" align="stretch">
        <Text size="sm" c="dimmed">
          {texts.about}
        </Text>
        <FormFailure error={player.error} />
        <QueryView query={lists} pending={<Skeleton h={160} radius="lg" />}>
          {(data) => (
            <Rows
              lists={data}
              assistantId={assistantId}
              player={player}
              onRecord={(sentence) => setRecording({ sentence })}
            />
          )}
        </QueryView>
      </Stack>
      <Dialog title={texts.form.title} isOpen={recording !== null} onClose={close}>
        {recording && <PhraseForm assistantId={assistantId} sentence={recording.sentence} onDone={close} />}
      </Dialog>
    </Section>
  );
}
