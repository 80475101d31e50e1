/** Manages one conversation for a page: displayed values as state, values that change 50 times a second as refs. */
import { type RefObject, useEffect, useReducer, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { socketAddress, useTRPC } from '../client/admin-client.ts';
import { idleTalk, nextTalkState, type TalkState } from '../web-call/talk-stage.rules.ts';
import type { SoundPathReport } from '../web-call/sound-path.ts';
import { TalkSession, type TalkProblems, type TalkSessionOptions } from '../web-call/talk-session.ts';
import { inBackground } from '../client/in-background.ts';
import { readRequestError } from '../client/request-error.ts';
import { explainRefusal } from './microphone-problem.rules.ts';
import { texts } from './texts.ts';
import { WORKLET_URLS } from './worklet-urls.ts';

const problems: TalkProblems = {
  connectionLost: texts.problems.connectionLost,
  notAccepted: texts.problems.notAccepted,
  ofError: (error) =>
    error instanceof DOMException
      ? explainRefusal(error.name)
      : { title: texts.problems.notPlaced, text: readRequestError(error).message },
};

/** The answer of the server to a new web call. */
interface StartedCall {
  call_id: number;
  path: string;
}

/** What the page draws and what its buttons do. */
export interface Talk {
  state: TalkState;
  isMuted: boolean;
  /** What carries the sound, and how well; null before the server has decided. */
  soundPath: SoundPathReport | null;
  start: () => void;
  toggleMute: () => void;
  pressKey: (digit: string) => void;
  hangUp: () => void;
  /** The element that carries `data-played-ms` and `data-sounding`. */
  panel: RefObject<HTMLDivElement | null>;
  microphoneMeter: RefObject<HTMLDivElement | null>;
  assistantMeter: RefObject<HTMLDivElement | null>;
}

/** Levels go to the page directly: drawing the whole page 50 times a second would be wasteful. */
function showLevel(meter: HTMLDivElement | null, level: number): void {
  meter?.style.setProperty('--level', level.toFixed(3));
}

type TalkElements = Pick<Talk, 'panel' | 'microphoneMeter' | 'assistantMeter'>;

function levelCallbacks(
  elements: TalkElements,
): Pick<TalkSessionOptions, 'onMicrophoneLevel' | 'onPlayback' | 'onSilence'> {
  return {
    onMicrophoneLevel: (level) => showLevel(elements.microphoneMeter.current, level),
    onPlayback: ({ level, playedMs, isSounding }) => {
      showLevel(elements.assistantMeter.current, level);
      const panel = elements.panel.current;
      if (!panel) return;
      panel.dataset['playedMs'] = String(Math.round(playedMs));
      panel.dataset['sounding'] = String(isSounding);
    },
    onSilence: () => {
      if (elements.panel.current) elements.panel.current.dataset['sounding'] = 'false';
    },
  };
}

/** A conversation in a call that `placeCall` places, once for each start; leaving the page hangs up. */
export function useTalk(placeCall: () => Promise<StartedCall>): Talk {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [state, dispatch] = useReducer(nextTalkState, idleTalk);
  const [isMuted, setIsMuted] = useState(false);
  const [soundPath, setSoundPath] = useState<SoundPathReport | null>(null);
  const session = useRef<TalkSession | null>(null);
  const elements: TalkElements = {
    panel: useRef(null),
    microphoneMeter: useRef(null),
    assistantMeter: useRef(null),
  };
  useEffect(() => () => session.current?.hangUp(), []);

  const start = (): void => {
    setIsMuted(false);
    setSoundPath(null);
    session.current?.hangUp();
    session.current = new TalkSession({
      placeCall: async () => {
        const { call_id: callId, path } = await placeCall();
        return { callId, url: socketAddress(path) };
      },
      problems,
      workletUrls: WORKLET_URLS,
      onEvent: dispatch,
      onSoundPath: setSoundPath,
      ...levelCallbacks(elements),
    });
    inBackground(session.current.start());
    inBackground(queryClient.invalidateQueries(trpc.calls.list.pathFilter()));
  };
  const toggleMute = (): void => {
    session.current?.setMuted(!isMuted);
    setIsMuted(!isMuted);
  };
  return {
    state,
    isMuted,
    soundPath,
    start,
    toggleMute,
    pressKey: (digit) => session.current?.pressKey(digit),
    hangUp: () => session.current?.hangUp(),
    ...elements,
  };
}
