import { expect, test } from 'vitest'
import { changing, planBulkAction, type ChosenRow } from './plan.ts'

const row = (id: string, more: Partial<ChosenRow> = {}): ChosenRow => ({
  ...{
    id,
    name: id,
    to: `/sources/${id}`,
    version: 1,
    mark: '1',
    visibility: 'place',
    publish: null,
    tags: [],
  },
  ...{ obstacles: {}, ...more },
})

test('unchanged items stay, blocked ones say why, and the rest has its undo', () => {
  const plans = planBulkAction('public', [
    row('a'),
    row('b', { visibility: 'public' }),
    row('c', { obstacles: { public: 'It asks a private source.' } }),
    row('d', { visibility: 'public', obstacles: { public: 'Not said of what changes nothing.' } }),
  ])
  expect(plans.map(({ id, why }) => [id, why])).toEqual([
    ['a', null],
    ['b', null],
    ['c', 'It asks a private source.'],
    ['d', null],
  ])
  expect(changing(plans)).toMatchObject([
    { id: 'a', data: { visibility: 'public' }, before: { visibility: 'place' } },
  ])
})

test('tags are added and removed ignoring case, each once', () => {
  const rows = [row('a', { tags: ['Water'] }), row('b', { tags: ['Roads'] })]
  expect(planBulkAction('tag', rows, 'water, Ward 9 ,ward 9').map(({ data }) => data)).toEqual([
    { tags: ['Water', 'Ward 9'] },
    { tags: ['Roads', 'water', 'Ward 9'] },
  ])
  expect(planBulkAction('untag', rows, 'WATER').map(({ data, before }) => [data, before])).toEqual([
    [{ tags: [] }, { tags: ['Water'] }],
    [null, { tags: ['Roads'] }],
  ])
})
