/** A text field whose value lives in the URL. It follows Back and Forward without changing what is being typed. */
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef } from 'react';

/** Pause in typing after which the list follows, in ms. */
const TYPING_PAUSE_MS = 300;

/** What the frame of the field may do with it. */
export interface SearchFieldHandle {
  /** Empties the field at once, and forgets what it has not reported yet. */
  clear: () => void;
}

interface SearchFieldProps {
  handle: Ref<SearchFieldHandle>;
  id: string;
  placeholder: string;
  /** The search in the URL. */
  value: string | undefined;
  testId: string;
  /** The keyboard of a phone; absent: that of phone numbers. */
  inputMode?: 'search' | undefined;
  onChange: (text: string | undefined) => void;
}

/** For phone numbers and other short texts. */
export function SearchField({ handle, value = '', testId, onChange, ...field }: SearchFieldProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const apply = useDebouncedCallback((text: string) => onChange(text.trim() || undefined), TYPING_PAUSE_MS);
  useImperativeHandle(handle, () => ({
    clear: () => {
      apply.cancel();
      if (input.current) input.current.value = '';
      onChange(undefined);
    },
  }));
  useEffect(() => {
    const element = input.current;
    if (element && document.activeElement !== element) element.value = value;
  }, [value]);
  return (
    <input
      ref={input}
      inputMode="tel"
      {...field}
      type="search"
      defaultValue={value}
      data-testid={testId}
      onChange={(event) => apply(event.currentTarget.value)}
    />
  );
}
