import { expect, test } from 'vitest'
import { choosable } from './role.server.ts'

const operation = (id: string) => ({ id, sentence: id })
const groups = [
  { area: 'api', operations: [operation('api.read')] },
  { area: 'page', operations: [operation('page.read'), operation('page.create')] },
  { area: 'own', operations: [operation('report.print')] },
]

test('offers a role the operations that not everyone has', () => {
  expect(choosable(groups).map(({ area, operations }) => [area, operations.map(({ id }) => id)])).toEqual([
    ['page', ['page.create']],
    ['own', ['report.print']],
  ])
})

test('and those it already has, so that saving does not remove them', () => {
  expect(choosable(groups, ['api.read'])[0]?.operations).toEqual([operation('api.read')])
})
