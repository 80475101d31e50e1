/** Replaces a signing secret after confirmation, and asks how long the old one stays valid. */
import { NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { AskFirst } from '../ui/ask-first.tsx';
import { texts } from './texts.ts';

const CHOICES = Object.entries(texts.secret.choices).map(([value, label]) => ({ value, label }));
const A_DAY = '24';

interface RotateButtonProps {
  /** The accessible name, where there are several. */
  label?: string;
  testId: string;
  rotate: (keepOldForHours: number) => Promise<unknown>;
}

/** The new secret is for the caller to show. */
export function RotateButton({ label, testId, rotate }: RotateButtonProps): ReactNode {
  const [hours, setHours] = useState(A_DAY);
  return (
    <AskFirst
      action={texts.secret.rotate}
      {...(label !== undefined && { label })}
      question={texts.secret.question}
      text={texts.secret.consequence}
      keep={texts.secret.keep}
      testId={testId}
      run={() => rotate(Number(hours))}
    >
      <NativeSelect
        mt="md"
        label={texts.secret.hours}
        data={CHOICES}
        value={hours}
        onChange={({ currentTarget }) => setHours(currentTarget.value)}
      />
    </AskFirst>
  );
}
