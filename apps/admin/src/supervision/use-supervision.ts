/** The supervision of one call for its page; leaving the page ends it. */
import { type RefObject, useEffect, useReducer, useRef, useState } from 'react';
import { inBackground } from '../client/in-background.ts';
import { useTRPCClient } from '../client/admin-client.ts';
import { SupervisionSession } from './supervision-session.ts';
import { IDLE, nextSupervision, type SupervisionState } from './supervision-state.rules.ts';

/** What the panel draws and what its buttons do. */
export interface Supervising {
  state: SupervisionState;
  isMuted: boolean;
  /** Replaces the session before. */
  start: (mode: 'listen' | 'talk') => void;
  stop: () => void;
  toggleMute: () => void;
  /** Carries `data-played-ms`, the sound that was played so far. */
  panel: RefObject<HTMLDivElement | null>;
}

/** One session at a time. */
export function useSupervision(callId: number): Supervising {
  const client = useTRPCClient();
  const [state, dispatch] = useReducer(nextSupervision, IDLE);
  const [isMuted, setIsMuted] = useState(false);
  const session = useRef<SupervisionSession | null>(null);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => () => session.current?.stop(), []);

  const start = (mode: 'listen' | 'talk'): void => {
    session.current?.stop();
    setIsMuted(false);
    dispatch({ type: 'started' });
    const { listen, takeOver } = client.calls;
    const begun: SupervisionSession = new SupervisionSession({
      mode,
      join: async () => (mode === 'talk' ? takeOver : listen).mutate({ id: callId }),
      // The end of a session that was replaced is not the end of its successor.
      onEvent: (event) => session.current === begun && dispatch(event),
      onPlayback: ({ playedMs }) => {
        if (panel.current) panel.current.dataset['playedMs'] = String(Math.round(playedMs));
      },
    });
    session.current = begun;
    inBackground(begun.start());
  };
  const toggleMute = (): void => {
    session.current?.setMuted(!isMuted);
    setIsMuted(!isMuted);
  };
  return { state, isMuted, start, stop: () => session.current?.stop(), toggleMute, panel };
}
