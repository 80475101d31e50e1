/** A card of free-form values: variables, evaluation. */
import type { ReactNode } from 'react';
import { Facts } from '../ui/facts.tsx';
import { Section } from '../ui/section.tsx';
import { describeValue, filledEntries } from './describe-value.rules.ts';

/** Renders nothing if all values are empty. */
export function ValueList({ title, values }: { title: string; values: Record<string, unknown> }): ReactNode {
  const entries = filledEntries(values);
  if (entries.length === 0) return null;
  return (
    <Section title={title}>
      <Facts facts={entries.map(([name, value]) => [name, describeValue(value)])} />
    </Section>
  );
}
