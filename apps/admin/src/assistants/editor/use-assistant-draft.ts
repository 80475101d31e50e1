/** The draft of an assistant: the form, and the values to which its edits are compared. */
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { type AssistantDraft, type AssistantDraftForm, changedSettings } from './assistant-draft.ts';
import type { EditorTab } from './editor-search.rules.ts';
import { tabsWithFaults } from './editor-tabs.rules.ts';

/** The tab of the editor, which is in the URL. */
export interface EditorTabs {
  tab: EditorTab;
  onTab: (tab: EditorTab) => void;
}

/** What the editor and a call with the draft share. */
export interface EditedDraft {
  form: AssistantDraftForm;
  /** The values without edits. */
  before: AssistantDraft;
  /** Number of edited settings. */
  changes: number;
  /** Shows other values, as ones without edits; `sent` are the values that were saved, later edits of which are kept. */
  adopt: (values: AssistantDraft, sent?: AssistantDraft) => void;
  /** Opens the first tab with a fault, unless the present tab has one, and focuses the first field with a fault. */
  showFaults: (errors: Record<string, unknown>) => void;
}

/** Focuses the first invalid field, after React has marked it. */
function focusFirstError(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}

/** Stored values that change replace those of the form, unless it has edits. */
export function useAssistantDraft(initial: AssistantDraft, { tab, onTab }: EditorTabs): EditedDraft {
  const [before, setBefore] = useState(initial);
  const form = useForm<AssistantDraft>({
    initialValues: initial,
    clearInputErrorOnChange: true,
  });
  const adopt = (values: AssistantDraft, sent?: AssistantDraft): void => {
    const shown = form.getValues();
    const since = sent ? changedSettings(shown, sent).map((name) => [name, shown[name]]) : [];
    setBefore(values);
    form.setValues({ ...values, ...Object.fromEntries(since) });
    form.clearErrors();
  };
  const showFaults = (errors: Record<string, unknown>): void => {
    const faulty = tabsWithFaults(errors);
    const [first] = faulty;
    if (first && !faulty.includes(tab)) onTab(first);
    focusFirstError();
  };
  const changes = changedSettings(form.values, before).length;
  const key = JSON.stringify(initial);
  useEffect(() => {
    if (changes === 0) adopt(initial);
    // Only another stored value may replace what the form shows.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key]);
  return { form, before, changes, adopt, showFaults };
}
