/** The texts of a conversation with an assistant in the browser. */

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
  recognition: {
    byLoudness: 'Speech is detected by volume alone on this machine, so noise can interrupt the assistant.',
    realtime: (provider: string) => `Understands speech: ${provider} listens and speaks directly.`,
    provider: (provider: string) => `Understands speech through ${provider}.`,
    uncertainProvider: (provider: string) =>
      `Understands speech through ${provider}, if that server supports transcription.`,
    builtIn:
      'Understands English on this machine, without a provider. A provider for transcription is more accurate.',
    none: 'Detects speech but does not understand it. Add a provider for transcription.',
    noVoiceProcess:
      'No voice process is running, so the assistant cannot place or answer calls. Start one to use it.',
    keys: 'Understands keypad input only. The voice process does not recognise speech; restart it with the current version, or add a provider for transcription.',
    voiceMismatch: ({ voice, speaks, language }: { voice: string; speaks: string; language: string }) =>
      `The voice ${voice} speaks ${speaks}, and the language of the assistant is ${language}. Select a voice that speaks ${language}.`,
    keysIn: (language: string) =>
      `Understands keypad input only: script phrases are understood in English. For ${language}, add a provider for transcription.`,
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
  soundPath: {
    websocket: 'Connected over a WebSocket',
    webrtc: 'Connected over WebRTC',
    roundTrip: (ms: number) => `round trip ${Math.round(ms)} ms`,
    lossReceived: (share: number) => `${(share * 100).toFixed(1)} % lost here`,
    lossSent: (share: number) => `${(share * 100).toFixed(1)} % lost at the server`,
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
