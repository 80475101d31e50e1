/** The fields of a trunk's form that say how numbers are read and written, and the presets that fill them in. */
import {
  trunkCalledSources,
  trunkCallerHeaders,
  trunkRefer,
  trunkCallerSources,
  trunkNumberFormats,
  trunkPresets,
} from '@parley/contracts';
import { NativeSelect, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { fillIn, type TrunkDraft } from './trunk-draft.rules.ts';
import { texts } from './texts.ts';

type TrunkDraftForm = UseFormReturnType<TrunkDraft>;

const { trunkForm } = texts;

const NUMBER_FORMATS = trunkNumberFormats.map((value) => ({ value, label: trunkForm.numberFormat[value] }));
const CALLER_SOURCES = trunkCallerSources.map((value) => ({ value, label: trunkForm.callerSource[value] }));
const CALLED_SOURCES = trunkCalledSources.map((value) => ({ value, label: trunkForm.calledSource[value] }));
const CALLER_HEADERS = trunkCallerHeaders.map((value) => ({ value, label: trunkForm.callerHeader[value] }));
const REFER = trunkRefer.map((value) => ({ value, label: trunkForm.refer[value] }));
const PRESETS = [
  { value: '', label: trunkForm.preset.choose },
  ...trunkPresets.map(({ id, name }) => ({ value: id, label: name })),
];

/** Fills the form; the user still saves it. */
export function PresetField({ form }: { form: TrunkDraftForm }): ReactNode {
  const [chosen, setChosen] = useState('');
  const choose = (id: string): void => {
    setChosen(id);
    const preset = trunkPresets.find((one) => one.id === id);
    if (preset) form.setValues(fillIn(form.values, preset));
  };
  return (
    <NativeSelect
      label={trunkForm.preset.label}
      description={trunkForm.preset.hint}
      data={PRESETS}
      value={chosen}
      onChange={(event) => choose(event.currentTarget.value)}
      data-testid="trunk-preset"
    />
  );
}

export function NumberFields({ form }: { form: TrunkDraftForm }): ReactNode {
  return (
    <>
      <NativeSelect
        label={trunkForm.numberFormat.label}
        description={trunkForm.numberFormat.hint}
        data={NUMBER_FORMATS}
        {...form.getInputProps('number_format')}
      />
      <NativeSelect
        label={trunkForm.callerSource.label}
        description={trunkForm.callerSource.hint}
        data={CALLER_SOURCES}
        {...form.getInputProps('inbound_caller_source')}
      />
      <NativeSelect
        label={trunkForm.calledSource.label}
        description={trunkForm.calledSource.hint}
        data={CALLED_SOURCES}
        {...form.getInputProps('inbound_called_source')}
      />
      <NativeSelect
        label={trunkForm.callerHeader.label}
        description={trunkForm.callerHeader.hint}
        data={CALLER_HEADERS}
        data-testid="trunk-caller-header"
        {...form.getInputProps('outbound_caller_header')}
      />
      <TextInput
        label={trunkForm.fromUser.label}
        description={trunkForm.fromUser.hint}
        autoComplete="off"
        {...form.getInputProps('from_user')}
      />
      <TextInput
        label={trunkForm.fromName.label}
        description={trunkForm.fromName.hint}
        autoComplete="off"
        {...form.getInputProps('from_name')}
      />
      <NativeSelect
        label={trunkForm.refer.label}
        description={trunkForm.refer.hint}
        data={REFER}
        data-testid="trunk-refer"
        {...form.getInputProps('incoming_refer')}
      />
    </>
  );
}
