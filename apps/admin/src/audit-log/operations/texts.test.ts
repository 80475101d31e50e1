import { api, keyingOf, metadataOf, routesOf } from '@parley/contracts';
import { expect, it } from 'vitest';
import { areaTexts, operationTexts } from './texts.ts';

it('every write of the contract with an entry in the audit log is in plain words', () => {
  const writes = routesOf(api).flatMap(({ group, name, route }) =>
    keyingOf(route) === 'none' || metadataOf(route).isAudited === false ? [] : [`${group}.${name}`],
  );
  expect(writes.length).toBeGreaterThan(40);
  expect(writes.filter((name) => operationTexts[name] === undefined)).toEqual([]);
});

it('the texts are short sentences without the names of operations', () => {
  const wrong = Object.values(operationTexts).filter((text) => !/^[A-Z][^.]{3,50}$/.test(text));
  expect(wrong).toEqual([]);
});

it('every operation is in one area, and every area has operations', () => {
  const names = Object.keys(operationTexts);
  const areas = Object.keys(areaTexts);
  expect(names.filter((name) => areas.filter((area) => name.startsWith(area)).length !== 1)).toEqual([]);
  expect(areas.filter((area) => !names.some((name) => name.startsWith(area)))).toEqual([]);
});
