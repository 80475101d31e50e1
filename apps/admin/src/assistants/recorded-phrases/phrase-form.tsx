/** The form that adds a recording: a sentence, and its sound from the microphone or from a file. */
import { FileInput, Input, Text, Textarea } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { uploadFile } from '../../client/upload-file.ts';
import { useRefresh } from '../../client/use-refresh.ts';
import { DraftForm } from '../../ui/draft-form.tsx';
import { FormFailure } from '../../ui/form-failure.tsx';
import { Segments } from '../../ui/segments.tsx';
import { MicrophoneField } from './microphone-field.tsx';
import {
  type PhraseDraft,
  phraseFaults,
  SOUND_ENDINGS,
  soundOf,
  soundSources,
} from './phrase-draft.rules.ts';
import { texts } from './texts.ts';
import { useSound } from './use-sound.ts';

type PhraseDraftForm = UseFormReturnType<PhraseDraft>;

const words = texts.form;
const SOURCES = soundSources.map((value) => ({ value, label: words.sources[value] }));

interface PhraseFormProps {
  assistantId: number;
  /** A sentence of the settings; null: the user writes one. */
  sentence: string | null;
  onDone: () => void;
}

function useAdd({ assistantId, onDone }: PhraseFormProps) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (draft: PhraseDraft): Promise<void> => {
      const query = new URLSearchParams({ text: draft.text.trim() });
      const sound = soundOf(draft) ?? new Blob();
      await uploadFile(`/phrase-sounds/${assistantId}?${query.toString()}`, sound);
    },
    onSuccess: async () => {
      await refresh('recordedPhrases');
      onDone();
    },
  });
}

function Sentence({ form, sentence }: { form: PhraseDraftForm; sentence: string | null }): ReactNode {
  if (sentence !== null)
    return (
      <Input.Wrapper label={words.text.label} labelElement="div">
        <Text data-testid="phrase-sentence">{sentence}</Text>
      </Input.Wrapper>
    );
  return (
    <Textarea
      label={words.text.label}
      description={words.text.hint}
      withAsterisk
      rows={2}
      data-testid="phrase-text"
      {...form.getInputProps('text')}
    />
  );
}

function SoundFields({ form }: { form: PhraseDraftForm }): ReactNode {
  const player = useSound();
  const { spoken } = form.values;
  return (
    <>
      <Segments
        label={words.source}
        options={SOURCES}
        value={form.values.source}
        onChange={(source) => form.setFieldValue('source', source)}
        data-testid="phrase-source"
      />
      {form.values.source === 'file' ? (
        <FileInput
          label={words.file.label}
          description={words.file.hint}
          accept={SOUND_ENDINGS}
          withAsterisk
          data-testid="phrase-file"
          {...form.getInputProps('file')}
        />
      ) : (
        <MicrophoneField
          value={spoken}
          onChange={(sound) => form.setFieldValue('spoken', sound)}
          error={form.errors['spoken']}
          player={player}
        />
      )}
      <FormFailure error={player.error} />
    </>
  );
}

/** Closes once the sound is stored; the list shows when calls play it. */
export function PhraseForm(props: PhraseFormProps): ReactNode {
  const { sentence } = props;
  const form = useForm<PhraseDraft>({
    initialValues: { text: sentence ?? '', source: 'microphone', file: null, spoken: null },
    validate: phraseFaults,
    // A file of the wrong kind is refused when it is selected.
    validateInputOnChange: ['file'],
    clearInputErrorOnChange: true,
  });
  const add = useAdd(props);
  return (
    <DraftForm
      form={form}
      save={add}
      onSubmit={(draft) => add.mutate(draft)}
      onCancel={props.onDone}
      action={words.action}
      testId="phrase-save"
    >
      <Sentence form={form} sentence={sentence} />
      <SoundFields form={form} />
    </DraftForm>
  );
}
