/** The texts of the API log. */

/** Plain texts, and functions for texts with values. */
export const texts = {
  page: {
    title: 'API log',
    subtitle:
      'Requests that API tokens made, without bodies, query parameters and numbers. A new request appears after about a second.',
  },
  filters: {
    status: 'Status',
    statuses: { '2xx': 'Success (2xx)', '4xx': 'Refused (4xx)', '5xx': 'Server fault (5xx)' },
    method: 'Method',
    operation: 'Operation or path',
    operationPlaceholder: 'leads, /api/user/calls, …',
    token: 'Token',
    requestId: 'Request id',
    requestIdPlaceholder: 'X-Request-Id of an answer',
    from: 'From',
    until: 'Until',
  },
  list: {
    columns: {
      time: 'Time',
      request: 'Request',
      status: 'Status',
      duration: 'Duration',
      token: 'Token',
      from: 'From',
    },
    token: (id: number) => `Token #${id}`,
    limited: (count: number) => (count === 1 ? '1 request' : `${count} requests within a minute`),
    incomplete: 'Client disconnected',
    older: 'Older requests',
    newest: 'Newest requests',
    paging: 'Pages of the API log',
    noMatch: {
      title: 'No requests match',
      text: 'Change or clear the filters. The ids of requests that are older than the period of the log find nothing.',
    },
    empty: {
      title: 'No requests yet',
      text: 'Requests that programs make with your API tokens appear here, each with its status, its duration and its request id.',
      action: 'Create an API token',
    },
  },
};
