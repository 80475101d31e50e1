import { expect, it } from 'vitest';
import { auditLogQuery, readAuditLogSearch } from './audit-log-search.rules.ts';

it('reads the filters of a URL and drops invalid ones', () => {
  const search = { area: 'session', user: 3, from: '2026-01-01', until: '2026-01-31', page: 2 } as const;
  expect(readAuditLogSearch(search)).toEqual(search);
  expect(readAuditLogSearch({ area: 'elsewhere', user: 'x', from: 'today', page: 1 })).toEqual({});
});

it('queries operations by their beginning, and whole days of the browser', () => {
  expect(auditLogQuery({})).toEqual({ page: 1 });
  expect(auditLogQuery({ area: 'lead', user: 3, from: '2026-02-28', until: '2026-02-28', page: 2 })).toEqual({
    page: 2,
    operation: 'lead',
    user_id: 3,
    from: new Date(2026, 1, 28).toISOString(),
    to: new Date(2026, 2, 1).toISOString(),
  });
});
