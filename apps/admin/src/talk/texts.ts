/** The texts of the page on which an operator talks with an assistant. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  page: {
    title: 'Talk',
    titleWith: (assistant: string) => `Talk with ${assistant}`,
  },
  stages: {
    idle: {
      title: 'Ready to start',
      text: 'You talk with the assistant through your microphone and speakers.',
    },
    microphone: { title: 'Microphone', text: 'Allow microphone access when the browser asks.' },
    connecting: { title: 'Connecting', text: 'Placing the call.' },
    listening: { title: 'Listening', text: 'Say something.' },
    thinking: { title: 'Thinking', text: 'The assistant is preparing its answer.' },
    speaking: { title: 'Speaking', text: 'You can interrupt at any time.' },
    ended: { title: 'The call has ended', text: 'Open the call to see its transcript and recording.' },
    failed: { title: 'The call failed', text: '' },
  },
  blocked: { title: 'Microphone not available', text: 'Talking requires microphone access.' },
  turns: {
    title: 'Transcript',
    you: 'You',
  },
  controls: {
    keys: {
      star: 'Star',
      hash: 'Hash',
    },
    keypad: 'Keypad',
    unmute: 'Unmute',
    mute: 'Mute',
    hangUp: 'Hang up',
  },
  meters: {
    muted: 'You (muted)',
    you: 'You',
  },
  panel: {
    forwardCommand: 'Command that forwards the port',
    cancel: 'Cancel',
    start: 'Start talking',
    again: 'Talk again',
    openCall: 'Open call',
  },
  problems: {
    notPlaced: 'The call could not be placed',
    connectionLost: {
      title: 'Connection lost',
      text: 'The connection to the server was lost during the call. Check your network, then start again.',
    },
    notAccepted: {
      title: 'Call not accepted',
      text: 'The voice service did not accept the connection. It may be restarting. Try again in a moment.',
    },
  },
  microphone: {
    unsupported: {
      title: 'This browser does not support microphone access',
      text: 'Open this page in a current version of Chrome, Edge, Firefox or Safari.',
    },
    insecure: (hostname: string, port: string) => ({
      title: 'Browsers allow microphone access only over https or on localhost',
      text: `This page was opened over http at ${hostname}. Serve Parley over https, or forward its port to your own machine with the command below and open http://localhost:${port}/admin there.`,
    }),
    refusals: {
      NotAllowedError: {
        title: 'Microphone access is not allowed on this page',
        text: 'Allow it in the browser, usually with the icon next to the address, then start again.',
      },
      NotFoundError: {
        title: 'No microphone found',
        text: 'Connect a microphone or select one in your system settings, then start again.',
      },
      NotReadableError: {
        title: 'The microphone is in use',
        text: 'Another program is using the microphone. Close that program, then start again.',
      },
    },
    unknown: (error: string) => ({
      title: 'The microphone could not be opened',
      text: `The browser reported ${error}. Check that the microphone works in another program, then start again.`,
    }),
  },
};
