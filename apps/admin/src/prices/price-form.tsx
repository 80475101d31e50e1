/** Sets one price. The server validates the number, and its fault is shown at the field. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { readRequestError } from '../client/request-error.ts';
import { useAmounts } from '../session/use-amounts.ts';
import { FormFailure } from '../ui/form-failure.tsx';
import { useUnsavedChanges } from '../ui/unsaved-changes.ts';
import { useSubmitOnce } from '../ui/use-submit-once.ts';
import classes from './price-form.module.css';
import {
  isAtPrice,
  type PricedList,
  priceFault,
  type PriceKey,
  type PriceUnit,
  unitChoices,
  withPrice,
} from './price-rows.rules.ts';
import { useChangePrices } from './use-change-prices.ts';
import { texts } from './texts.ts';

/** Priceable rows of one kind. */
export interface ThingGroup {
  list: PricedList;
  label: string;
  things: readonly { id: number; name: string }[];
}

interface PriceDraft {
  /** `list:id` */
  thing: string;
  unit: PriceUnit;
  price: string;
}

/** The key of the price. A unit that the row does not have is replaced by its first one. */
function keyOf({ thing, unit }: PriceDraft): PriceKey {
  const [list, id] = thing.split(':') as [PricedList, string];
  const units = unitChoices(list).map(({ value }) => value);
  return { list, id: Number(id), unit: units.includes(unit) ? unit : (units[0] ?? unit) };
}

function useSet(form: UseFormReturnType<PriceDraft>) {
  const change = useChangePrices();
  return useMutation({
    mutationFn: ({ key, price }: { key: PriceKey; price: string }) =>
      change((prices) => withPrice(prices, key, price)),
    onSuccess: () => form.setFieldValue('price', ''),
    onError: (error, { key }) => {
      const fault = priceFault(readRequestError(error).fields, key.unit);
      if (fault !== undefined) form.setErrors({ price: fault });
    },
  });
}

/** Replaces an existing price. */
export function PriceForm({ groups }: { groups: readonly ThingGroup[] }): ReactNode {
  const amounts = useAmounts();
  const first = groups.find(({ things }) => things.length > 0);
  const form = useForm<PriceDraft>({
    initialValues: { thing: `${first?.list}:${first?.things[0]?.id}`, unit: 'per_minute', price: '' },
    validate: { price: (value) => (value.trim() === '' ? texts.form.missing : null) },
    clearInputErrorOnChange: true,
  });
  const set = useSet(form);
  const once = useSubmitOnce();
  useUnsavedChanges({ isDirty: form.isDirty('price'), isBeingSaved: set.isPending });
  const key = keyOf(form.values);
  const faults = Object.keys(readRequestError(set.error).fields);
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ price }) => once(() => set.mutate({ key, price: price.trim() })))}
    >
      <FormFailure error={set.error} fields={faults.filter((path) => isAtPrice(path, key.unit))} />
      <div className={classes['row']}>
        <NativeSelect
          label={texts.form.thing}
          data={groups.map(({ list, label, things }) => ({
            group: label,
            items: things.map(({ id, name }) => ({ value: `${list}:${id}`, label: name })),
          }))}
          data-testid="price-thing"
          {...form.getInputProps('thing')}
        />
        <NativeSelect
          label={texts.form.unit}
          data={unitChoices(key.list)}
          data-testid="price-unit"
          {...form.getInputProps('unit')}
          value={key.unit}
        />
        <TextInput
          label={amounts.label(texts.form.price)}
          inputMode="decimal"
          placeholder="0.012"
          autoComplete="off"
          data-testid="price-amount"
          {...form.getInputProps('price')}
        />
        <Button
          type="submit"
          className={classes['send'] ?? ''}
          loading={set.isPending}
          data-testid="price-set"
        >
          {texts.form.action}
        </Button>
      </div>
    </form>
  );
}
