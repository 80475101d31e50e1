/**
 * Plays one sound at a time. It is decoded by an AudioContext, because the content policy of the page lets `<audio>` play
 * neither sounds of the microphone nor files that were selected.
 */
import { useEffect, useRef, useState } from 'react';
import { inBackground } from '../../client/in-background.ts';
import { texts } from './texts.ts';

/** What a list of sounds draws and what its buttons do. */
export interface SoundPlayer {
  /** The key of the sound that plays or is being loaded; null: none. */
  playing: string | null;
  /** Why the last sound could not be played. */
  error: Error | null;
  /** Plays a sound, or stops it when it plays. */
  toggle: (key: string, load: () => Promise<ArrayBuffer>) => void;
}

/** The sound of a recorded phrase, as calls play it. @throws Error when it is gone or the server does not answer */
export async function loadPhraseSound(assistantId: number, id: number): Promise<ArrayBuffer> {
  const response = await fetch(`/phrase-sounds/${assistantId}/${id}.wav`);
  if (!response.ok) throw new Error(texts.unplayable);
  return response.arrayBuffer();
}

async function play(context: AudioContext, load: () => Promise<ArrayBuffer>): Promise<void> {
  const sound = await context.decodeAudioData(await load());
  if (context.state === 'closed') return;
  const source = new AudioBufferSourceNode(context, { buffer: sound });
  source.connect(context.destination);
  await context.resume();
  await new Promise((resolve) => {
    source.addEventListener('ended', resolve, { once: true });
    source.start();
  });
}

/** Leaving the page stops the sound. */
export function useSound(): SoundPlayer {
  const [playing, setPlaying] = useState<string | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const current = useRef<AudioContext | null>(null);

  const stop = (): void => {
    if (current.current) inBackground(current.current.close());
    current.current = null;
  };
  useEffect(() => stop, []);
  const toggle = (key: string, load: () => Promise<ArrayBuffer>): void => {
    stop();
    setError(null);
    setPlaying(playing === key ? null : key);
    if (playing === key) return;
    const context = new AudioContext();
    current.current = context;
    const isCurrent = (): boolean => current.current === context;
    const work = play(context, load)
      .catch((cause: unknown) => {
        if (isCurrent()) setError(new Error(texts.unplayable, { cause }));
      })
      .finally(() => {
        if (!isCurrent()) return;
        stop();
        setPlaying(null);
      });
    inBackground(work);
  };
  return { playing, error, toggle };
}
