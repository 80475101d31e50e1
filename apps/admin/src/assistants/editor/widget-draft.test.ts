import { widgetDefaults, widgetTextNames as namesOfApi, writtenWidgetSettings } from '@parley/contracts';
import { expect, it } from 'vitest';
import { readWidget, WIDGET_COLOR, WIDGET_LIMITS, widgetTextNames, writeWidget } from './widget-draft.ts';

it('has every text of the API, and the defaults of the server', () => {
  expect(widgetTextNames.toSorted()).toEqual([...namesOfApi].toSorted());
  expect(widgetDefaults).toMatchObject({ ...WIDGET_LIMITS, color: WIDGET_COLOR });
});

it('leaves out what is empty, and writes what the API accepts', () => {
  const draft = readWidget({});
  expect(writtenWidgetSettings.parse(writeWidget(draft))).toEqual({
    allowed_origins: [],
    theme: 'auto',
    position: 'bottom-right',
  });
  const filled = {
    ...draft,
    allowed_origins: ' https://a.example/ \n\nhttps://b.example',
    color: '#fff',
    max_call_duration: '60',
    texts: { ...draft.texts, start: ' Go ' },
  };
  const written = writtenWidgetSettings.parse(writeWidget(filled));
  expect(written).toMatchObject({
    allowed_origins: ['https://a.example', 'https://b.example'],
    color: '#fff',
    max_call_duration: 60,
    texts: { start: 'Go' },
  });
  expect(writtenWidgetSettings.parse(writeWidget(readWidget(written)))).toEqual(written);
});

it('shows settings that an earlier version has stored', () => {
  expect(readWidget({ position: 'left', color: 5, allowed_origins: 'x', texts: null })).toMatchObject({
    position: 'bottom-left',
    color: '5',
    allowed_origins: '',
  });
});
