/** The texts of the widget, which `widget_settings.texts` of an assistant replaces. */
import type { WidgetTextName } from '@parley/contracts';

/** The texts by their names in the API. */
export const texts: Readonly<Record<WidgetTextName, string>> = {
  open: 'Talk to us',
  close: 'Close',
  title: 'Talk to our assistant',
  intro: 'You talk with an artificial voice through your microphone and speakers.',
  start: 'Start the call',
  hang_up: 'Hang up',
  mute: 'Mute',
  unmute: 'Unmute',
  microphone: 'Allow the microphone when your browser asks.',
  connecting: 'Connecting.',
  listening: 'Listening. Say something.',
  speaking: 'Speaking. You can interrupt at any time.',
  ended: 'The call has ended.',
  denied:
    'The microphone is not allowed on this page. Allow it in your browser, usually with the icon next to the address, then start again.',
  no_microphone: 'No microphone was found. Connect a microphone, then start again.',
  in_use: 'Another program is using the microphone. Close that program, then start again.',
  insecure: 'This page was not opened over https, so that your browser does not offer the microphone.',
  busy: 'All lines are in use. Try again in a few minutes.',
  unavailable: 'The call could not be started. Try again later.',
  lost: 'The connection was lost. Check your network, then start again.',
};

/** Console message for the owner of the page. */
export const notShown = (assistant: string, reason: string): string =>
  `The Parley widget of assistant ${assistant} is not shown: ${reason}`;

/** The reason without an answer of the server, which does not let this page read a refusal. */
export const noAnswer = 'the server did not answer. Its assistant may not allow the origin of this page.';
