/** Searches numbers that a carrier offers, and buys one after its price was confirmed. */
import { soldNumberTypes, type CarrierAccountRecord, type OfferedNumberRecord } from '@parley/contracts';
import { Button, Group, NativeSelect, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTRPC, useTRPCClient } from '../client/admin-client.ts';
import { useRefresh } from '../client/use-refresh.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { texts } from './texts.ts';

interface Search {
  country_code: string;
  type: (typeof soldNumberTypes)[number];
  area_code: string;
  contains: string;
}

const FIRST: Search = { country_code: 'US', type: 'local', area_code: '', contains: '' };

function priceOf({ price, currency }: OfferedNumberRecord): string {
  if (price === null) return texts.buy.unknownPrice;
  const amount = price.toFixed(2);
  return texts.buy.perMonth(currency === null ? amount : `${amount} ${currency}`);
}

/** The price that was shown is the most that is paid. */
function BuyButton({ number, onBought }: { number: OfferedNumberRecord; onBought: () => void }): ReactNode {
  const client = useTRPCClient();
  const refresh = useRefresh();
  const buy = async (): Promise<void> => {
    await client.phoneNumbers.purchase.mutate({
      phone_number: number.phone_number,
      carrier_account_id: number.carrier_account_id,
      max_monthly_price: number.price,
    });
    await refresh('phoneNumbers', 'lookups', 'carrierAccounts');
    onBought();
  };
  return (
    <AskFirst
      action={texts.buy.buy}
      label={texts.buy.label(number.phone_number)}
      question={texts.buy.question(number.phone_number_formatted, priceOf(number))}
      text={texts.buy.text}
      keep={texts.buy.keep}
      testId="carrier-buy"
      run={buy}
    />
  );
}

function Offer({ number, onBought }: { number: OfferedNumberRecord; onBought: () => void }): ReactNode {
  const facts = [number.locality, priceOf(number), number.sms_capable ? texts.buy.sms : null];
  const isSold = number.address_requirements === 'none';
  return (
    <Group justify="space-between" wrap="nowrap" data-testid="carrier-offer">
      <div>
        <PhoneNumber number={number.phone_number} />
        <Text size="xs" c="dimmed">
          {isSold ? facts.filter((fact) => fact !== null).join(' · ') : texts.buy.needsAddress}
        </Text>
      </div>
      {isSold && <BuyButton number={number} onBought={onBought} />}
    </Group>
  );
}

function Offers({
  accountId,
  search,
  onBought,
}: {
  accountId: number;
  search: Search;
  onBought: () => void;
}): ReactNode {
  const trpc = useTRPC();
  const query = { ...search, carrier_account_id: accountId };
  const found = useQuery({ ...trpc.phoneNumbers.search.queryOptions(query), retry: false, staleTime: 0 });
  return (
    <QueryView query={found} pending={<Skeleton h={120} radius="lg" />}>
      {(numbers) =>
        numbers.length === 0 ? (
          <Text size="sm">{texts.buy.none}</Text>
        ) : (
          <Stack gap="sm">
            {numbers.map((number) => (
              <Offer key={number.phone_number} number={number} onBought={onBought} />
            ))}
          </Stack>
        )
      }
    </QueryView>
  );
}

/** In a dialog. */
export function BuyNumber({
  account,
  onDone,
}: {
  account: CarrierAccountRecord;
  onDone: () => void;
}): ReactNode {
  const [draft, setDraft] = useState(FIRST);
  const [search, setSearch] = useState<Search | null>(null);
  const set = (changes: Partial<Search>): void => setDraft({ ...draft, ...changes });
  return (
    <Stack gap="md">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setSearch(draft);
        }}
      >
        <Stack gap="md">
          <TextInput
            label={texts.buy.country.label}
            description={texts.buy.country.hint}
            maxLength={2}
            value={draft.country_code}
            data-testid="carrier-country"
            onChange={(event) => set({ country_code: event.currentTarget.value })}
          />
          <NativeSelect
            label={texts.buy.type}
            data={soldNumberTypes.map((type) => ({ value: type, label: texts.buy.types[type] }))}
            value={draft.type}
            onChange={(event) => set({ type: event.currentTarget.value as Search['type'] })}
          />
          <TextInput
            label={texts.buy.area}
            inputMode="numeric"
            maxLength={6}
            value={draft.area_code}
            onChange={(event) => set({ area_code: event.currentTarget.value })}
          />
          <TextInput
            label={texts.buy.contains}
            inputMode="numeric"
            maxLength={10}
            value={draft.contains}
            data-testid="carrier-contains"
            onChange={(event) => set({ contains: event.currentTarget.value })}
          />
          <Group justify="flex-end">
            <Button type="submit" data-testid="carrier-search">
              {texts.buy.search}
            </Button>
          </Group>
        </Stack>
      </form>
      {search && <Offers accountId={account.id} search={search} onBought={onDone} />}
    </Stack>
  );
}
