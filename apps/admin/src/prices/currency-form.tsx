/** The currency of all amounts. A change is confirmed, because no amount is converted. */
import { Group, NativeSelect, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAmounts } from '../session/use-amounts.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { currencyName, currencyOptions } from './currency-options.rules.ts';
import { texts } from './texts.ts';
import { useChangePrices } from './use-change-prices.ts';

const LOOK = { size: 'sm', variant: 'default' };

/** For operators. */
export function CurrencyForm({ current }: { current: string | null }): ReactNode {
  const change = useChangePrices();
  const { currency: shown } = useAmounts();
  const [chosen, setChosen] = useState(current ?? '');
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {texts.currency.hint}
      </Text>
      <Group align="flex-end">
        <NativeSelect
          label={texts.currency.label}
          data={currencyOptions()}
          value={chosen}
          data-testid="currency"
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
        {chosen !== (current ?? '') && (
          <AskFirst
            action={texts.currency.action}
            look={LOOK}
            question={texts.currency.question(currencyName(chosen), currencyName(shown ?? ''))}
            text={texts.currency.text}
            keep={texts.currency.keep}
            testId="currency-change"
            run={() => change((prices) => ({ ...prices, currency: chosen === '' ? null : chosen }))}
          />
        )}
      </Group>
    </>
  );
}
