/** Forms of an assistant: tabs of its editor. */
import { INVALID_URL, REQUIRED, type AdminForm } from './admin-forms.ts';

interface SettingTrial {
  refused: string;
  text: string;
  accepted: string;
}

/** A setting on a tab of the editor of assistants. */
function setting(tab: string, field: string, { refused, text, accepted }: SettingTrial): AdminForm {
  return {
    name: `assistant, tab ${tab}`,
    path: `assistants/:assistant?tab=${tab}`,
    refused: [[field, refused]],
    fault: [field, text],
    accepted: [[field, accepted]],
    send: 'assistant-save',
    request: 'assistants.update',
  };
}

/** Tabs of the editor, each by one of its settings. */
export const ASSISTANT_FORMS: readonly AdminForm[] = [
  setting('conversation', 'field-name', { refused: '', text: REQUIRED, accepted: 'Renamed by a form' }),
  setting('voice', 'field-speech_speed', {
    refused: '9',
    text: 'Enter a number between 0.7 and 1.2.',
    accepted: '1.1',
  }),
  setting('model', 'field-llm_temperature', {
    refused: '9',
    text: 'Enter a number between 0 and 1.',
    accepted: '0.4',
  }),
  setting('phone', 'field-max_duration', {
    refused: '1',
    text: 'Enter a number between 20 and 1200.',
    accepted: '300',
  }),
  setting('webhook', 'field-webhook_url', {
    refused: 'no address',
    text: INVALID_URL,
    accepted: 'https://example.com/hook',
  }),
  setting('widget', 'widget-color', {
    refused: 'reddish',
    text: 'This value is not valid.',
    accepted: '#aa3300',
  }),
];
