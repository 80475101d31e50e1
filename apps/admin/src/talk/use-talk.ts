/** Manages one conversation for a page: displayed values as state, values that change 50 times a second as refs. */
import { type RefObject, useEffect, useReducer, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { socketAddress, useTRPC } from '../client/admin-client.ts';
import { idleTalk, nextTalkState, type TalkState } from '../web-call/talk-stage.rules.ts';
import type { SoundPathReport } from '../web-call/sound-path.ts';
import type { TalkSession, TalkSessionOptions } from '../web-call/talk-session.ts';
import { inBackground } from '../client/in-background.ts';

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
  /** How often the conversation was started or ended: an older start that is still loading is given up. */
  const changes = useRef(0);
  const elements: TalkElements = {
    panel: useRef(null),
    microphoneMeter: useRef(null),
    assistantMeter: useRef(null),
  };
  const hangUp = (): void => {
    changes.current += 1;
    session.current?.hangUp();
  };
  useEffect(() => hangUp, []);

  const begin = async (): Promise<void> => {
    const change = changes.current;
    const { makeSession } = await import('./make-session.ts');
    if (change !== changes.current) return;
    session.current = makeSession({
      placeCall: async () => {
        const { call_id: callId, path } = await placeCall();
        return { callId, url: socketAddress(path) };
      },
      onEvent: dispatch,
      onSoundPath: setSoundPath,
      ...levelCallbacks(elements),
    });
    inBackground(queryClient.invalidateQueries(trpc.calls.list.pathFilter()));
    await session.current.start();
  };
  const start = (): void => {
    setIsMuted(false);
    setSoundPath(null);
    hangUp();
    inBackground(begin());
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
    hangUp,
    ...elements,
  };
}
