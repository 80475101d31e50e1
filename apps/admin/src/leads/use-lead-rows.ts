/** The leads of the drawn rows of the list: loaded in pieces, renewed while they are drawn. */
import type { LeadSummary } from '@parley/contracts';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../client/admin-client.ts';
import { leadQuery, type LeadSearch } from './lead-search.rules.ts';

/** Rows of a piece, which is a page of the API. */
const PIECE_ROWS = 100;
/** The window has fewer rows than two pieces. */
const MOST_PIECES = 2;
/** How often pieces are renewed while they are drawn, milliseconds. */
export const RENEWAL_MS = 5_000;
/** Pieces that the scroll bar passes are not loaded. */
const PASSING_MS = 80;

/** The query of a piece, counted from 0. */
export function pieceQuery(search: LeadSearch, piece: number) {
  return { ...leadQuery(search), page: piece + 1, per_page: PIECE_ROWS };
}

/** @returns the lead of a row; undefined until it is loaded */
export function useLeadRows(
  search: LeadSearch,
  { start, end }: { start: number; end: number },
): (row: number) => LeadSummary | undefined {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const last = Math.floor(Math.max(start, end - 1) / PIECE_ROWS);
  const [shown] = useDebouncedValue(last, PASSING_MS, { leading: true });
  const pieces = Array.from({ length: MOST_PIECES }, (_, place) => shown - place).filter(
    (piece) => piece >= Math.floor(start / PIECE_ROWS),
  );
  useQueries({
    queries: pieces.map((piece) => ({
      ...trpc.leads.list.queryOptions(pieceQuery(search, piece)),
      refetchInterval: RENEWAL_MS,
    })),
  });
  // Also pieces that are not drawn any more: the row with the focus may be one of theirs.
  const found = new Map<number, readonly LeadSummary[]>();
  return (row) => {
    const piece = Math.floor(row / PIECE_ROWS);
    const leads =
      found.get(piece) ??
      queryClient.getQueryData(trpc.leads.list.queryKey(pieceQuery(search, piece)))?.rows ??
      [];
    found.set(piece, leads);
    return leads[row % PIECE_ROWS];
  };
}
