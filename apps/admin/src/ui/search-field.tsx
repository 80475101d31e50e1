/** A text field whose value lives in the URL. It follows Back and Forward without changing what is being typed. */
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef } from 'react';

/** Pause in typing after which the list follows, in ms. */
const TYPING_PAUSE_MS = 300;

interface SearchFieldProps {
  label: string;
  placeholder: string;
  /** The search in the URL. */
  value: string | undefined;
  testId: string;
  /** The keyboard of a phone; absent: that of phone numbers. */
  inputMode?: 'search';
  onChange: (text: string | undefined) => void;
}

/** For phone numbers and other short texts. */
export function SearchField({
  label,
  placeholder,
  value = '',
  testId,
  inputMode,
  onChange,
}: SearchFieldProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const apply = useDebouncedCallback((text: string) => onChange(text.trim() || undefined), TYPING_PAUSE_MS);
  useEffect(() => {
    const element = input.current;
    if (element && document.activeElement !== element) element.value = value;
  }, [value]);
  return (
    <TextInput
      ref={input}
      label={label}
      placeholder={placeholder}
      type="search"
      inputMode={inputMode ?? 'tel'}
      defaultValue={value}
      data-testid={testId}
      onChange={(event) => apply(event.currentTarget.value)}
    />
  );
}
