/** The recording of a form as state: whether it runs, how far it is, and why it cannot. */
import { useEffect, useRef, useState } from 'react';
import { inBackground } from '../../client/in-background.ts';
import { explainRefusal, findContextProblem } from '../../talk/microphone-problem.rules.ts';
import type { TalkProblem } from '../../web-call/talk-stage.rules.ts';
import { isFull, MicrophoneRecorder, type RecordingProgress } from './microphone-recorder.ts';

type MicrophoneState = { stage: 'off' | 'opening' } | ({ stage: 'recording' } & RecordingProgress);

/** What the form draws and what its buttons do. */
export interface Microphone {
  state: MicrophoneState;
  problem: TalkProblem | null;
  start: () => void;
  stop: () => void;
}

function problemOfPage(): TalkProblem | null {
  const hasMediaDevices = navigator.mediaDevices !== undefined;
  return findContextProblem({ isSecureContext: window.isSecureContext, hasMediaDevices }, location);
}

/** @param onRecorded - called with a WAV file when the user stops, or after the longest time; not when the form closes */
export function useMicrophone(onRecorded: (sound: File) => void): Microphone {
  const [state, setState] = useState<MicrophoneState>({ stage: 'off' });
  const [problem, setProblem] = useState(problemOfPage);
  const recorder = useRef<MicrophoneRecorder | null>(null);
  useEffect(
    () => () => {
      recorder.current?.stop();
    },
    [],
  );

  const end = (): File | undefined => {
    const sound = recorder.current?.stop();
    recorder.current = null;
    setState({ stage: 'off' });
    return sound;
  };
  const stop = (): void => {
    const sound = end();
    if (sound) onRecorded(sound);
  };
  const start = (): void => {
    const opened = new MicrophoneRecorder((progress) => {
      if (recorder.current !== opened) return;
      setState({ stage: 'recording', ...progress });
      if (isFull(progress)) stop();
    });
    recorder.current = opened;
    setState({ stage: 'opening' });
    setProblem(null);
    const fail = (error: unknown): void => {
      if (recorder.current !== opened) return;
      end();
      setProblem(explainRefusal(error instanceof DOMException ? error.name : String(error)));
    };
    inBackground(opened.start().catch(fail));
  };
  return { state, problem, start, stop };
}
