/** The forms of an assistant: the tabs of its editor, and its recorded phrases. */
import { INVALID, INVALID_URL, REQUIRED, UNAVAILABLE, type AdminForm } from './admin-forms.ts';

interface SettingTrial {
  refused: string;
  text: string;
  /** Absent: no value is accepted here. */
  accepted?: string;
  vanished?: string;
}

/** A setting on a tab of the editor of assistants. */
function setting(tab: string, field: string, trial: SettingTrial): AdminForm {
  const { refused, text, accepted, vanished } = trial;
  return {
    name: `assistant, tab ${tab}`,
    path: `assistants/:assistant?tab=${tab}`,
    refused: [[field, refused]],
    ...(vanished !== undefined && { vanished }),
    fault: [field, text],
    ...(accepted !== undefined && { accepted: [[field, accepted]] }),
    send: 'assistant-save',
    request: 'assistants.update',
  };
}

/** Each tab of the editor once, by one of its settings; and the dialogs on them. */
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
  setting('tools', 'field-tool_ids', {
    refused: 'vanishing',
    vanished: 'tools/:tool',
    text: UNAVAILABLE,
  }),
  setting('phone', 'field-max_duration', {
    refused: '1',
    text: 'Enter a number between 20 and 1200.',
    accepted: '300',
  }),
  setting('after', 'Name of result 1', {
    refused: 'two words',
    text: INVALID,
    accepted: 'booked',
  }),
  setting('webhook', 'field-webhook_url', {
    refused: 'no address',
    text: INVALID_URL,
    accepted: 'https://example.com/hook',
  }),
  setting('widget', 'widget-color', {
    refused: 'reddish',
    text: INVALID,
    accepted: '#aa3300',
  }),
  setting('advanced', 'field-folder_id', {
    refused: 'Vanishing',
    vanished: 'folders/:folder',
    text: UNAVAILABLE,
    accepted: 'Lasting',
  }),
  {
    name: 'recorded phrase',
    path: 'assistants/:assistant?tab=voice',
    open: ['new-phrase'],
    refused: [
      ['phrase-text', 'Good {{time}}.'],
      ['File', true],
    ],
    isCheckedHere: true,
    fault: ['phrase-text', 'A sentence with variables has other words in each call'],
    accepted: [
      ['phrase-text', 'Good morning.'],
      ['phrase-file', 'greeting.wav'],
    ],
    lost: 'The upload was interrupted. Try again.',
    send: 'phrase-save',
    request: '/phrase-sounds/',
  },
];
