/** The fields of the widget on web pages, and the snippet for those pages. */
import { Anchor, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeLine } from '../../ui/code-line.tsx';
import fields from '../../ui/field-columns.module.css';
import { Section } from '../../ui/section.tsx';
import { texts as widgetTexts } from '../../widget/texts.ts';
import type { AssistantDraftForm } from './assistant-draft.ts';
import classes from './assistant-editor.module.css';
import { texts } from './texts.ts';
import { WIDGET_COLOR, WIDGET_LIMITS, widgetLimitNames, widgetTextNames } from './widget-draft.ts';

const { labels, hints, options } = texts.widget;

const optionsOf = (choices: Record<string, string>) =>
  Object.entries(choices).map(([value, label]) => ({ value, label }));

/** Empty fields show the defaults. */
export function WidgetFields({ form }: { form: AssistantDraftForm }): ReactNode {
  const input = (name: string) => form.getInputProps(`widget_settings.${name}`);
  return (
    <div className={`${fields['columns']} ${classes['fields']}`}>
      <Textarea
        className={fields['whole'] ?? ''}
        label={labels.allowed_origins}
        description={hints.allowed_origins}
        placeholder={texts.widget.originExample}
        rows={3}
        data-testid="widget-origins"
        {...input('allowed_origins')}
      />
      <NativeSelect label={labels.theme} data={optionsOf(options.theme)} {...input('theme')} />
      <NativeSelect label={labels.position} data={optionsOf(options.position)} {...input('position')} />
      <TextInput
        label={labels.color}
        placeholder={WIDGET_COLOR}
        data-testid="widget-color"
        {...input('color')}
      />
      <Textarea
        className={fields['whole'] ?? ''}
        label={labels.consent_text}
        description={hints.consent_text}
        rows={2}
        {...input('consent_text')}
      />
      {widgetLimitNames.map((name) => (
        <TextInput
          key={name}
          type="number"
          label={labels[name]}
          placeholder={String(WIDGET_LIMITS[name])}
          {...input(name)}
        />
      ))}
      <Text className={fields['whole'] ?? ''} size="sm" c="dimmed">
        {hints.texts}
      </Text>
      {widgetTextNames.map((name) => (
        <TextInput
          key={name}
          label={texts.widget.texts[name]}
          placeholder={widgetTexts[name]}
          {...input(`texts.${name}`)}
        />
      ))}
    </div>
  );
}

/** What the owner of a page pastes into it. */
export function WidgetSnippet({ uuid }: { uuid: string }): ReactNode {
  const { origin } = window.location;
  const code = texts.widget.snippet.code(origin, uuid);
  return (
    <Section title={texts.widget.snippet.title}>
      <Stack gap="sm">
        <Text size="sm">{texts.widget.snippet.text}</Text>
        <CodeLine code={code} label={texts.widget.snippet.title} />
        <Anchor href={`/widget/demo/${uuid}`} target="_blank" rel="noopener" size="sm">
          {texts.widget.snippet.demo}
        </Anchor>
      </Stack>
    </Section>
  );
}
