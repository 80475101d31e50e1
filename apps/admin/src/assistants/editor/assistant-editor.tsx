/** The editor of an assistant: its settings in tabs, and the bar that saves them. The server validates them. */
import type { AssistantDetailsRecord } from '@parley/contracts';
import { Button, Group, Skeleton, Tabs } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { type FormEventHandler, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { readRequestError } from '../../client/request-error.ts';
import { inBackground } from '../../client/in-background.ts';
import fields from '../../ui/field-columns.module.css';
import { FormFailure } from '../../ui/form-failure.tsx';
import { Section } from '../../ui/section.tsx';
import { useUnsavedChanges } from '../../ui/unsaved-changes.ts';
import { useSubmitOnce } from '../../ui/use-submit-once.ts';
import type { AssistantDraft, AssistantLookups } from './assistant-draft.ts';
import classes from './assistant-editor.module.css';
import { type EditorTab, tabNames } from './editor-search.rules.ts';
import { shownNames, TABS, tabsWithFaults } from './editor-tabs.rules.ts';
import { knownVariables } from './known-variables.rules.ts';
import { SettingField, type SettingFieldProps } from './setting-field.tsx';
import { texts } from './texts.ts';
import type { EditedDraft, EditorTabs } from './use-assistant-draft.ts';
import { later } from '../../ui/later.ts';

const AccountToolTrials = later(() => import('../tools/account-tool-trials.tsx'), 'AccountToolTrials');
const WidgetSnippet = later<'WidgetSnippet', { uuid: string }>(
  () => import('./widget-fields.tsx'),
  'WidgetSnippet',
);

/** While the fields of a tab are loaded. As high as the window, so that the bar below it stays at the edge of the window. */
const PENDING = <Skeleton h="80vh" radius="lg" />;

interface AssistantEditorProps extends EditorTabs {
  draft: EditedDraft;
  lookups: AssistantLookups;
  /** The stored assistant; absent for a new one. */
  assistant?: AssistantDetailsRecord;
  save: EditorSave;
  /** Shown on the tab of the tools; without it the tab is left out. */
  tools?: ReactNode;
  /** Shown below the field of the transcription provider. */
  recognition?: ReactNode;
  /** Shown at the end of the tab of voice and hearing. */
  recordings?: ReactNode;
  /** Another button, before the one that saves. */
  secondary?: ReactNode;
}

/** The request that saves a draft. */
export interface EditorSave {
  error: unknown;
  isPending: boolean;
  /** Resolves with what is stored now, or with messages under the paths of the fields. */
  run: (
    draft: AssistantDraft,
    before: AssistantDraft,
  ) => Promise<{ saved: AssistantDraft } | { errors: Record<string, string> }>;
}

interface TabListProps {
  tabs: readonly EditorTab[];
  tab: EditorTab;
  faulty: readonly EditorTab[];
}

/** On narrow screens it scrolls to the tab that is open. */
function TabList({ tabs, tab: open, faulty }: TabListProps): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = list.current?.querySelector('[aria-selected="true"]');
    tab?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [open]);
  return (
    <Tabs.List ref={list} className={classes['tabs'] ?? ''} aria-label={texts.tabList}>
      {tabs.map((tab) => (
        <Tabs.Tab
          key={tab}
          value={tab}
          className={classes['tab'] ?? ''}
          data-testid={`tab-${tab}`}
          rightSection={
            faulty.includes(tab) && (
              <span className={classes['fault']}>
                <IconAlertCircle size={16} stroke={2} aria-hidden />
                <span className="visually-hidden">{texts.tabFault}</span>
              </span>
            )
          }
        >
          {texts.tabs[tab]}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}

interface SaveBarProps extends Pick<AssistantEditorProps, 'save' | 'secondary'> {
  changes: number;
  isNew: boolean;
  isFaulty: boolean;
  onSave: () => void;
  onDiscard: () => void;
}

function SaveBar({ changes, isNew, isFaulty, save, secondary, ...actions }: SaveBarProps): ReactNode {
  const state = changes > 0 ? texts.save.dirty(changes) : isNew ? texts.save.missing : texts.save.clean;
  return (
    <div className={classes['bar']}>
      <div
        className={classes['state']}
        data-dirty={changes > 0}
        data-faulty={isFaulty}
        data-testid="save-state"
        role="status"
      >
        {isFaulty ? texts.save.faults : state}
      </div>
      <Group gap="sm">
        {!isNew && changes > 0 && (
          <Button variant="default" data-testid="assistant-discard" onClick={actions.onDiscard}>
            {texts.save.discard}
          </Button>
        )}
        {secondary}
        <Button
          loading={save.isPending}
          disabled={!isNew && changes === 0}
          data-testid={isNew ? 'assistant-create' : 'assistant-save'}
          onClick={actions.onSave}
        >
          {isNew ? texts.save.create : texts.save.action}
        </Button>
      </Group>
    </div>
  );
}

interface GroupsProps extends Omit<SettingFieldProps, 'name'> {
  tab: EditorTab;
  recognition?: ReactNode;
}

function Groups({ tab, recognition, ...field }: GroupsProps): ReactNode {
  return TABS[tab].map(({ title, names }) => (
    <Section key={title} title={title}>
      <div className={`${fields['columns']} ${classes['fields']}`}>
        {names.map((name) => (
          <SettingField key={name} name={name} {...field} />
        ))}
        {recognition && names.includes('transcriber_provider_id') && (
          <div className={fields['whole']}>{recognition}</div>
        )}
      </div>
    </Section>
  ));
}

interface ToolsPanelProps extends Omit<SettingFieldProps, 'name'> {
  tools: ReactNode;
  onSubmit: FormEventHandler<HTMLFormElement>;
}

/** The assistant's own tools, and those of the account if there are any. */
function ToolsPanel({ tools, onSubmit, ...field }: ToolsPanelProps): ReactNode {
  return (
    <Tabs.Panel value="tools">
      <div className={classes['groups']}>
        <Suspense fallback={PENDING}>
          {tools}
          {field.lookups.tools.length > 0 && (
            <form noValidate onSubmit={onSubmit}>
              <Groups tab="tools" {...field} />
            </form>
          )}
          {field.lookups.tools.length > 0 && <AccountToolTrials tools={field.lookups.tools} />}
        </Suspense>
      </div>
    </Tabs.Panel>
  );
}

/** Saves the draft, or shows what is wrong with it on the first tab that holds a fault. */
export function AssistantEditor(props: AssistantEditorProps): ReactNode {
  const { draft, lookups, assistant, tab, onTab, save, tools } = props;
  const { form, before, changes, adopt, showFaults } = draft;
  useUnsavedChanges({ isDirty: changes > 0, isBeingSaved: save.isPending });
  const send = async (values: AssistantDraft): Promise<void> => {
    const result = await save.run(values, before);
    if ('saved' in result) return adopt(result.saved, values);
    form.setErrors(result.errors);
    showFaults(result.errors);
  };
  const once = useSubmitOnce();
  const submit = form.onSubmit((values) => once(() => inBackground(send(values))), showFaults);
  const field = { form, lookups, known: knownVariables(form.values, lookups, assistant?.tools ?? []) };
  const faulty = tabsWithFaults(form.errors);
  return (
    <Tabs
      value={tab}
      onChange={(value) => onTab(value as EditorTab)}
      keepMounted={false}
      className={classes['editor'] ?? ''}
    >
      <TabList
        tabs={tabNames.filter((name) => name !== 'tools' || tools !== undefined)}
        tab={tab}
        faulty={faulty}
      />
      <FormFailure error={save.error} fields={shownNames(readRequestError(save.error).fields)} />
      {tab !== 'tools' && (
        <form noValidate onSubmit={submit}>
          <Tabs.Panel value={tab}>
            <div className={classes['groups']}>
              <Suspense fallback={PENDING}>
                <Groups tab={tab} {...field} recognition={props.recognition} />
                {tab === 'widget' && assistant && <WidgetSnippet uuid={assistant.uuid} />}
              </Suspense>
            </div>
          </Tabs.Panel>
          {/* Enter in a field saves. */}
          <button type="submit" hidden aria-label={texts.save.action} />
        </form>
      )}
      {/* Outside the form, because their dialogs have forms of their own. */}
      {tab === 'voice' && <Suspense fallback={PENDING}>{props.recordings}</Suspense>}
      {tools && tab === 'tools' && <ToolsPanel tools={tools} onSubmit={submit} {...field} />}
      <SaveBar
        changes={changes}
        isNew={!assistant}
        isFaulty={faulty.length > 0}
        save={save}
        secondary={props.secondary}
        onSave={() => submit()}
        onDiscard={() => adopt(before)}
      />
    </Tabs>
  );
}
